// SPDX-License-Identifier: MIT
// The callback `callbacks.backupAndRestore`. fit.ts reads `restoredEpoch`, which it sets on the
// model; backup_bytes.ts has the format.
import { checkFunction, checkInteger, checkOptions, isPlain, refuse } from '../../base/check.js';
import {
  ConfigError,
  FormatError,
  MaskflowError,
  StateError,
  UnsupportedError,
} from '../../base/errors.js';
import { nodeModule } from '../../engine/node_module.js';
import type { Model } from '../../model/model.js';
import { tidy } from '../../tensor/tidy.js';
import { compiledOf } from '../compiled.js';
import { type Backup, readBackup, writeBackup } from './backup_bytes.js';
import { Callback } from './callback.js';

/** A place for a backup, such as IndexedDB on a page. */
export interface BackupStore {
  /** Returns the bytes of the last `write`; null without one. */
  read(): Uint8Array | null | Promise<Uint8Array | null>;
  /** Replaces the backup. */
  write(bytes: Uint8Array): unknown;
  /** Deletes the backup. */
  remove(): unknown;
}

/** Options of {@link BackupAndRestore}. */
export interface BackupAndRestoreOptions {
  /** 'epoch' (default), or the number of batches between backups. */
  saveFreq?: 'epoch' | number;
  /** Whether to delete the backup when training ends. Default: true. */
  deleteCheckpoint?: boolean;
}

interface Files {
  mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  readFile(path: string): Promise<Uint8Array>;
  rm(path: string, options: { force: true }): Promise<void>;
}

/** Keeps the backup in a folder of Node's file system. */
function folderStore(folder: string): BackupStore {
  const files = nodeModule<Files>('node:fs/promises');
  if (!files) {
    throw new UnsupportedError(
      `'${folder}' cannot be used because there is no disk; give an object with read, write and remove`,
    );
  }
  const path = `${folder}/latest.backup`;
  const attempt = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      const { message } = error as Error;
      throw new StateError(
        `backupAndRestore cannot use the folder '${folder}' (${message}); give another one`,
      );
    }
  };
  return {
    read: () =>
      attempt(() =>
        files.readFile(path).catch((error: { code?: string }) => {
          if (error.code === 'ENOENT') return null;
          throw error;
        }),
      ),
    // The old backup stays until the new one is complete.
    write: (bytes) =>
      attempt(async () => {
        await files.mkdir(folder, { recursive: true });
        const { replaceFile } = await import('../../engine/replace_file.js');
        await replaceFile(path, [bytes]);
      }),
    remove: () => attempt(() => files.rm(path, { force: true })),
  };
}

function checkStore(store: BackupStore): BackupStore {
  if (!isPlain(store) && typeof store !== 'object') {
    const needed = 'a folder, or an object with read, write and remove';
    refuse('the first argument of backupAndRestore', needed, store, ConfigError);
  }
  for (const method of ['read', 'write', 'remove'] as const) {
    checkFunction(store?.[method], `${method} of the store`);
  }
  return store;
}

/**
 * Backs up the state of training: weights, state of the optimizer and epoch. If training was
 * interrupted, the next `fit` with the same store continues after the last backup, like Keras's
 * BackupAndRestore.
 */
export class BackupAndRestore extends Callback {
  readonly #store: BackupStore;
  readonly #options: BackupAndRestoreOptions;
  #epoch = 0;
  #batches = 0;

  /** @param to A folder in Node, which is created, or a store. */
  constructor(to: string | BackupStore, options: BackupAndRestoreOptions = {}) {
    super();
    this.#options = checkOptions(options, { saveFreq: 1, deleteCheckpoint: 1 });
    const { saveFreq = 'epoch' } = this.#options;
    if (saveFreq !== 'epoch') checkInteger('saveFreq', saveFreq, 1, " (or 'epoch')");
    if (to === '') refuse('the folder of backupAndRestore', 'a path', to, ConfigError);
    this.#store = typeof to === 'string' ? folderStore(to) : checkStore(to);
  }

  /** Restores the last backup. */
  override async onTrainBegin(): Promise<void> {
    const model = this.model as Model & { restoredEpoch?: number };
    const bytes = await this.#store.read();
    this.#batches = 0;
    if (bytes === null || bytes === undefined) return;
    if (!(bytes instanceof Uint8Array)) refuse('the result of read()', 'a Uint8Array', bytes);
    if (!model.built) {
      throw new StateError(
        `'${model.name}' has no weights to restore a backup to; call build() or predict() before fit`,
      );
    }
    this.#restore(model, readBackup(bytes));
  }

  #restore(model: Model & { restoredEpoch?: number }, backup: Backup): void {
    const compiled = compiledOf(model, 'fit');
    compiled.variables();
    try {
      tidy(() => {
        const before = model.getWeights();
        model.setWeights(backup.weights());
        try {
          compiled.optimizer.setWeights(backup.optimizer());
        } catch (error) {
          model.setWeights(before);
          throw error;
        }
      });
    } catch (error) {
      if (!(error instanceof MaskflowError)) throw error;
      throw new FormatError(
        `the backup is of another model or optimizer: ${error.message}; delete it, or train the model that it is of`,
      );
    }
    model.restoredEpoch = backup.epoch;
    this.#epoch = backup.epoch;
  }

  /** Stores the number of the epoch. */
  override onEpochBegin(epoch: number): void {
    this.#epoch = epoch;
  }

  /** Backs up after every `saveFreq` batches, if that is a number. */
  override async onBatchEnd(): Promise<void> {
    const { saveFreq = 'epoch' } = this.#options;
    if (saveFreq === 'epoch' || ++this.#batches < saveFreq) return;
    this.#batches = 0;
    await this.#save();
  }

  /** Backs up, unless `saveFreq` is a number. */
  override async onEpochEnd(epoch: number): Promise<void> {
    this.#epoch = epoch + 1;
    if ((this.#options.saveFreq ?? 'epoch') === 'epoch') await this.#save();
  }

  async #save(): Promise<void> {
    const { model } = this;
    const bytes = tidy(() =>
      writeBackup(this.#epoch, model.getWeights(), compiledOf(model, 'fit').optimizer.getWeights()),
    );
    await this.#store.write(bytes);
  }

  /** Deletes the backup, unless `deleteCheckpoint` is false. */
  override async onTrainEnd(): Promise<void> {
    if (this.#options.deleteCheckpoint ?? true) await this.#store.remove();
  }
}
