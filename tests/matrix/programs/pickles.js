// SPDX-License-Identifier: MIT
// The entry maskflow/text: it opens pickles of a Tokenizer and of a scaler.

/** A pickle of Keras's Tokenizer, that of docs/guides/keras-tokenizer.md. */
const tokenizerFile =
  'gASVeAIAAAAAAACMI2tlcmFzLnNyYy5sZWdhY3kucHJlcHJvY2Vzc2luZy50ZXh0lIwJVG9rZW5pemVylJOUKYGUfZ' +
  'QojAt3b3JkX2NvdW50c5SMC2NvbGxlY3Rpb25zlIwLT3JkZXJlZERpY3SUk5QpUpQojAFhlEsCjARnb29klEsBjARm' +
  'aWxtlEsDjAN0aGWUSwKMBGJlc3SUSwGMAm9mlEsCjANhbGyUSwKMA2JhZJRLAYwFd29yc3SUSwGMBWZpbG1zlEsBdY' +
  'wJd29yZF9kb2NzlIwLY29sbGVjdGlvbnOUjAtkZWZhdWx0ZGljdJSTlIwIYnVpbHRpbnOUjANpbnSUk5SFlFKUKGgM' +
  'SwNoC0sBaApLAmgNSwJoD0sCaBBLAmgOSwFoEUsBaBNLAWgSSwF1jAdmaWx0ZXJzlIwhISIjJCUmKCkqKywtLi86Oz' +
  'w9Pj9AW1xdXl9ge3x9fgkKlIwFc3BsaXSUjAEglIwFbG93ZXKUiIwJbnVtX3dvcmRzlEsUjA5kb2N1bWVudF9jb3Vu' +
  'dJRLBIwKY2hhcl9sZXZlbJSJjAlvb3ZfdG9rZW6UjAU8T09WPpSMCmluZGV4X2RvY3OUaBdoGoWUUpQoSwJLA0sHSw' +
  'FLA0sCSwRLAksFSwJLBksCSwhLAUsJSwFLC0sBSwpLAXWMCndvcmRfaW5kZXiUfZQoaCZLAWgMSwJoCksDaA1LBGgP' +
  'SwVoEEsGaAtLB2gOSwhoEUsJaBJLCmgTSwt1jAppbmRleF93b3JklH2UKEsBaCZLAmgMSwNoCksEaA1LBWgPSwZoEE' +
  'sHaAtLCGgOSwloEUsKaBJLC2gTdYwIYW5hbHl6ZXKUTnViLg==';

/** A pickle of sklearn's StandardScaler, that of docs/guides/sklearn-scaler.md. */
const scalerFile =
  'gASV5gEAAAAAAACMG3NrbGVhcm4ucHJlcHJvY2Vzc2luZy5fZGF0YZSMDlN0YW5kYXJkU2NhbGVylJOUKYGUfZQojA' +
  'l3aXRoX21lYW6UiIwId2l0aF9zdGSUiIwEY29weZSIjA5uX2ZlYXR1cmVzX2luX5RLAowPbl9zYW1wbGVzX3NlZW5f' +
  'lIwVbnVtcHkuY29yZS5tdWx0aWFycmF5lIwGc2NhbGFylJOUjAVudW1weZSMBWR0eXBllJOUjAJpOJSJiIeUUpQoSw' +
  'OMATyUTk5OSv////9K/////0sAdJRiQwg8AAAAAAAAAJSGlFKUjAVtZWFuX5RoCowMX3JlY29uc3RydWN0lJOUaA2M' +
  'B25kYXJyYXmUk5RLAIWUQwFilIeUUpQoSwFLAoWUaA+MAmY4lImIh5RSlChLA2gTTk5OSv////9K/////0sAdJRiiU' +
  'MQO1XT03CONEDpbzPhpjaPQJR0lGKMBHZhcl+UaBpoHEsAhZRoHoeUUpQoSwFLAoWUaCSJQxAG/RLRwAIpQFNnYZpH' +
  'c31AlHSUYowGc2NhbGVflGgaaBxLAIWUaB6HlFKUKEsBSwKFlGgkiUMQM7uBqVRKDEBdzrLBDrU1QJR0lGKMEF9za2' +
  'xlYXJuX3ZlcnNpb26UjAUxLjIuMZR1Yi4=';

/** The ids that Python prints for the text, then the row as sklearn scales it. */
export const wanted = [3, 7, 2, 4, 8, 1.25656705071234, -1.3281956811351618];

const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

export async function run({ text: { readPickle } }) {
  const tokenizer = await readPickle(bytesOf(tokenizerFile));
  const scaler = await readPickle(bytesOf(scalerFile));
  const [ids] = tokenizer.textsToSequences(['A good FILM, the best!']);
  return [...ids, ...scaler.transform([[25, 970]]).flat()];
}
