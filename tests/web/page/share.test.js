// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageModule } from '../../support/page.js';

const { frameCode, privacyOf } = await pageModule("export * from './shared/share.ts'");

test('the code of a frame escapes its address and title', () => {
  const code = frameCode('https://a.org/?chapter=flow&embed=figure#v1/flow', 'a "b" & <c>', 321);
  assert.equal(
    code,
    '<iframe src="https://a.org/?chapter=flow&amp;embed=figure#v1/flow" title="a &quot;b&quot; &amp; <c>" width="100%" height="321" style="border: 0" loading="lazy"></iframe>',
  );
});

test('addresses that others cannot open are told', () => {
  for (const address of ['http://localhost:8080/', 'http://127.0.0.1/', 'http://[::1]:80/'])
    assert.match(privacyOf(address), /Only this machine/, address);
  assert.match(privacyOf('file:///page/index.html'), /opened from a folder/);
  for (const address of ['https://example.org/page/', 'http://localhost.example.org/'])
    assert.equal(privacyOf(address), undefined, address);
});
