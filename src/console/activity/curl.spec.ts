import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { curlOf } from './curl.js';

test('a shell passes on the body as it was, whatever it contains', () => {
  const body = { text: `{ "title": "it's $HOME \`id\` \\\\" }`, truncated: false };
  const { command, gaps } = curlOf(
    { method: 'PATCH', route: '/api/v1/ext/tasks/tasks/{id}', plane: 'keyed', dry_run: false },
    body,
    'https://suite.example',
  )!;
  // a shell function in place of the program prints its arguments
  const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ID=7 SVC_KEY=secret; ${command}`], { encoding: 'utf8' });
  const lines = printed.split('\n');
  expect(lines.slice(0, 5)).toEqual(['-sS', 'https://suite.example/api/v1/ext/tasks/tasks/7', '-X', 'PATCH', '-H']);
  expect(lines).toContain('Authorization: Bearer secret');
  expect(lines.at(-2)).toBe(body.text);
  expect(gaps).toEqual(['$ID: the log keeps routes without the ids']);
});

test('a call by a member, or of an unknown path, is not offered again', () => {
  expect(
    curlOf({ method: 'POST', route: '/api/v1/org/members', plane: 'product', dry_run: false }, null, 'https://suite.example'),
  ).toBeNull();
  expect(curlOf({ method: 'GET', route: null, plane: 'keyed', dry_run: false }, null, 'https://suite.example')).toBeNull();
});

test('a dry run is one again', () => {
  const log = { method: 'DELETE', route: '/api/v1/ext/tasks/tasks/{id}', plane: 'keyed', dry_run: true };
  const { command, writes } = curlOf(log, null, 'https://suite.example')!;
  expect([command.includes("-H 'Svc-Dry-Run: true'"), writes]).toEqual([true, false]);
});
