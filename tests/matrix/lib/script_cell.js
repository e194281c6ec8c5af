// SPDX-License-Identifier: MIT

/** Makes cells of one runtime: a file of this text is run by its command with these arguments. */
export const scriptCell =
  (runtime, version) =>
  (name, file, text, args, facts = {}) => ({
    name,
    versions: `${runtime} ${version}`,
    async run(project) {
      await project.install([`${runtime}@${version}`]);
      project.bring();
      project.write(file, text);
      await project.run(runtime, args);
      return project.result();
    },
    ...facts,
  });
