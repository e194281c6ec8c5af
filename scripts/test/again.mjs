// SPDX-License-Identifier: MIT
// Which test files run a second time: those that lost their browser, and failed in nothing else.
// A driver whose window ends or hangs on a busy machine says nothing about the package.

/** The beginning of the message of an error of a browser's driver. */
export const driverFailed = 'WebDriver: ';

const isCancelled = (error) =>
  ['cancelledByParent', 'parentAlreadyFinished'].includes(error?.failureType);

/** True if all of these errors of tests are a driver's, or of tests that such an error ended. */
export function lostBrowser(errors) {
  const others = errors.filter((error) => !isCancelled(error));
  const messages = others.map((error) => String(error?.cause?.message ?? error?.message ?? ''));
  return messages.length > 0 && messages.every((text) => text.startsWith(driverFailed));
}
