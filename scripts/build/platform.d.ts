// SPDX-License-Identifier: MIT
// Types of the platform that the declarations use. They are the real types if the user's project
// has them ("dom", "webworker" or @types/node), otherwise only the members that the declarations
// need.
type Known<Name extends string, Otherwise> = typeof globalThis extends {
  [name in Name]: { prototype: infer Type };
}
  ? Type
  : Otherwise;

export type AbortSignal = Known<'AbortSignal', { readonly aborted: boolean }>;
export type Blob = Known<'Blob', { readonly size: number; arrayBuffer(): Promise<ArrayBuffer> }>;
export type BufferSource = ArrayBufferView<ArrayBuffer> | ArrayBuffer;
export type File = Known<'File', Blob & { readonly name: string }>;
export type FileSystemFileHandle = Known<
  'FileSystemFileHandle',
  { readonly name: string; getFile(): Promise<File> }
>;
export type ReadableStream<_Chunk = unknown> = Known<
  'ReadableStream',
  { readonly locked: boolean }
>;
export type Request = Known<'Request', { readonly method: string; readonly url: string }>;
export type Response = Known<
  'Response',
  { readonly ok: boolean; arrayBuffer(): Promise<ArrayBuffer> }
>;
export type URL = Known<'URL', { readonly href: string }>;
export type Worker = Known<'Worker', { terminate(): void; postMessage(message: unknown): void }>;
export namespace WebAssembly {
  export type Module = typeof globalThis extends {
    WebAssembly: { Module: { prototype: infer Type } };
  }
    ? Type
    : object;
}
