// SPDX-License-Identifier: MIT

/** Runs a script with the main entries, then with maskflow/train; returns all answers. */
export async function runTwice(project, command, args) {
  await project.run(command, args);
  const result = project.result();
  await project.run(command, [...args, 'train']);
  return { ...result, answers: { ...result.answers, ...project.result().answers } };
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
      if (args[0] !== 'test') return runTwice(project, runtime, args);
      await project.run(runtime, args);
      return project.result();
    },
    ...facts,
  });
