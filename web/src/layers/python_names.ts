// SPDX-License-Identifier: MIT
// Errors for members under their names in Python, which JavaScript would ignore in silence:
// `optimizer.learning_rate = 0.1`, `layer.trainable_weights`.
import { ValueError } from '../base/errors.js';
import { lookUp, toCamel } from '../base/names.js';
import { memberFor } from '../base/python_names.js';

/** Members of Keras 2 and TensorFlow.js that have another name here. */
const others: { readonly [name: string]: string } = {
  applyGradients: 'apply(gradients, variables)',
  evaluateGenerator: 'evaluate(batches)',
  fitDataset: 'model.fit(batches, { epochs: 1 })',
  fitGenerator: 'fit(batches)',
  minimize: 'valueAndGradients(f, variables)',
  predictClasses: 'predict(x).argmax(-1)',
  predictGenerator: 'predict(batches)',
  resetStates: 'resetState()',
  toJson: 'JSON.stringify(model)',
};

/** Throws ValueError for a name in Python of a member that the object has. */
function explain(object: object, name: string | symbol): void {
  // Configs have a class_name, and functions that receive one or an object look for it.
  if (typeof name !== 'string' || name === 'class_name') return;
  const member =
    memberFor(object, name === 'lr' ? 'learning_rate' : name) ?? lookUp(others, toCamel(name));
  if (member) throw new ValueError(`there is no ${name}; write ${member}`);
}

/**
 * Makes objects of a class say what to write in place of a name in Python, when it is read or
 * assigned. Existing members are not slower: only the last prototype answers.
 */
export function explainPythonNames(base: { readonly prototype: object }): void {
  Object.setPrototypeOf(
    base.prototype,
    // Empty, so that code that walks along prototypes ends at Object.prototype as usual.
    new Proxy(
      {},
      {
        get(target, name, object) {
          if (!(name in target)) explain(object, name);
          return Reflect.get(target, name, object);
        },
        set(target, name, value, object) {
          explain(object, name);
          return Reflect.set(target, name, value, object);
        },
      },
    ),
  );
}
