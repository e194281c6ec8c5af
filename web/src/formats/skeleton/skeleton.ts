// SPDX-License-Identifier: MIT
// The chunk of `writeSkeleton`, which writes JavaScript for the user-defined classes of a file. All
// names of the file pass through safe_text.ts.
import { native } from '../../engine/engine.js';
import { FormatError } from '../../base/errors.js';
import type { ModelSource, SourceOptions } from '../../base/model_source.js';
import { unwrapTuples } from '../json.js';
import type { Artifact, SerializedObject } from '../artifact.js';
import type { OpenFile } from '../open/open_file.js';
import { inPieces } from '../open/budget.js';
import { openSource } from '../open/source.js';
import { type ClassPlan, ClassWriter, InnerClasses, type Instance } from './class_text.js';
import { Identifiers, inComment, literal } from './safe_text.js';
import { LayerGroups } from './layer_groups.js';
import { unknownClasses } from './unknown_classes.js';

const kImports = ['Layer', 'layers', 'Model', 'ops', 'registerLayer', 'Sequential', 'StateError'];
/** Names that the code of a call may need. */
const kGlobals =
  'Array Boolean console Date Error Function globalThis JSON Map Math Number Object Promise RegExp Set String Symbol tensor';

/** Implements `writeSkeleton`. `readArtifact` reads a file of any format. */
export async function skeletonOf(
  readArtifact: (file: OpenFile) => Promise<Artifact>,
  source: ModelSource,
  options: SourceOptions,
): Promise<string> {
  native();
  const file = await openSource(source, options);
  const artifact = await readArtifact(file);
  if (!artifact.config) {
    throw new FormatError(`${file.name} has weights only, no architecture; pass the whole model`);
  }
  const config = unwrapTuples(artifact.config, file.budget) as SerializedObject;
  const classes = unknownClasses(config);
  for (const { className, registered } of classes) checkName(registered ?? className);
  const groups = new LayerGroups(artifact);
  const identifiers = new Identifiers([...kImports, ...kGlobals.split(' ')]);
  const plans: ClassPlan[] = [];
  for (const about of classes) {
    await file.budget.pause();
    const instances = about.layers.map(
      (layer): Instance => ({
        layer,
        group: about.kind === 'model' ? groups.root : groups.take(layer.name, about.className),
      }),
    );
    const identifier = identifiers.unique(about.className);
    plans.push({ identifier, about, instances, isInner: false });
  }
  const name = file.name.slice(file.name.lastIndexOf('/') + 1);
  return inPieces(moduleText(name, plans, identifiers), file.budget);
}

/** Throws FormatError for a name that `registerLayer` refuses. */
function checkName(name: string): void {
  const isWellFormed = !/\p{Surrogate}/u.test(name);
  if (isWellFormed && !name.endsWith('>') && name !== '') return;
  throw new FormatError(
    `the file has a class named ${literal(name)}, which cannot be registered; rename it in Python`,
  );
}

function* moduleText(
  file: string,
  plans: readonly ClassPlan[],
  identifiers: Identifiers,
): Generator<void, string> {
  const name = inComment(file);
  if (plans.length === 0) return `// All classes of ${name} are known.\n`;
  const inner = new InnerClasses(identifiers);
  const texts: string[] = [];
  for (const plan of plans) {
    yield;
    const { identifier } = plan;
    const writer = new ClassWriter(plan, (owner, key, group) =>
      inner.add(identifier, owner, key, group),
    );
    texts.push(writer.text());
  }
  const innerTexts: string[] = [];
  // Writing an inner class may add further ones, which the loop also visits.
  for (const { identifier, instances } of inner.plans.values()) {
    yield;
    const about = { className: identifier, registered: null, kind: 'layer' as const };
    const plan = { identifier, about, instances, isInner: true };
    innerTexts.push(
      new ClassWriter(plan, (owner, key, group) => inner.add(identifier, owner, key, group)).text(),
    );
  }
  const body = [...innerTexts, ...texts].join('\n\n');
  const used = kImports.filter((each) => each === 'ops' || new RegExp(`\\b${each}\\b`).test(body));
  return `// The classes of ${name} that are not Keras's. Write each call() as in
// Python, with ops and the layers and weights below. Settings that the file lacks have defaults:
// activations, epsilon, rates, and the order of the layers of a Sequential. Import this module
// before loadModel(), or pass it to the command: maskflow info MODEL --import THIS_FILE
import { ${used.join(', ')} } from 'maskflow';

${body}
`;
}
