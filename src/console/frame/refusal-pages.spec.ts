import { expect, test } from '@jest/globals';
import { laterView } from './refusal-pages.js';
import { Values } from './values.js';
import type { Visit } from './visit.js';

// limits are checked before the CSRF token
test('a form that comes too early keeps its values, but no password, and gets no valid token', () => {
  const sent = new URLSearchParams({
    csrf: 'forged',
    token: 'token-of-form',
    action: 'create',
    name: 'Import',
    confirm_password: 'x',
    pin: 'typed',
  });
  const values = new Values(sent);
  const page = { actions: { create: { passwords: { pin: { label: 'Pin', autocomplete: 'current-password' } } } } };
  const visit = { page, here: () => '/console/keys/new', visitor: { csrfToken: 'valid' } } as unknown as Visit;
  const submission = { action: 'create', formId: '', values, csrfToken: 'forged', token: 'token-of-form' };
  const { markup } = laterView({ message: 'Wait.', status: 429, after: '1', reference: null, submission, visit }).body;
  const fields = Object.fromEntries([...markup.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  expect([markup.includes('typed'), markup.includes('type="password" name="pin"')]).toEqual([false, true]);
  expect(fields).toEqual({ csrf: 'forged', token: 'token-of-form', action: 'create', name: 'Import' });
});
