// SPDX-License-Identifier: MIT
// The first pickle of a file of `torch.save` before PyTorch 1.6: a number that no other program
// writes.

export const kTorchMagic = 0x1950a86a20f9469cfc6cn;

/** The opcode with the number: LONG1, its length, its bytes from the lowest on. */
export const kTorchMagicOpcode: readonly number[] = [
  0x8a,
  10,
  ...Array.from({ length: 10 }, (_, i) => Number((kTorchMagic >> BigInt(8 * i)) & 0xffn)),
];
