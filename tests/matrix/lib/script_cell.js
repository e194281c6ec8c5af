// SPDX-License-Identifier: MIT

/**
 * Runs a script with the main entries, then with maskflow/train, then with threads; returns all
 * answers.
 */
export async function runThrice(project, command, args) {
  const results = [];
  for (const more of [[], ['train'], ['threads']]) {
    await project.run(command, [...args, ...more]);
    results.push(project.result());
  }
  const [result, ...others] = results;
  const answers = others.map((other) => other.answers);
  return { ...result, answers: { ...Object.assign({}, ...answers), ...result.answers } };
}

/** Returns a function that defines cells of one runtime, which runs a file with this text. */
export const scriptCell =
  (runtime, version) =>
  (name, file, text, args, facts = {}) => ({
    name,
    versions: `${runtime} ${version}`,
    async run(project) {
      await project.install([`${runtime}@${version}`]);
      project.bring();
      project.write(file, text);
      // Test runners run the script once, because they read a further argument as the name of a
      // test.
      if (args[0] !== 'test') return runThrice(project, runtime, args);
      await project.run(runtime, args);
      return project.result();
    },
    ...facts,
  });
