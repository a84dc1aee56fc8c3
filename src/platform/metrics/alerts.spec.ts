import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { PROJECT_ROOT } from '../config/project-root.js';

interface Alert {
  alert: string;
  labels: { severity?: string };
  annotations: { summary?: string; runbook?: string };
}

function promtool(...args: string[]): string {
  return execFileSync('promtool', args, { cwd: PROJECT_ROOT, encoding: 'utf8', stdio: 'pipe' });
}

let isInstalled = true;
try {
  promtool('--version');
} catch {
  isInstalled = false;
  process.stderr.write('The alert rules are not tested: promtool, of the package prometheus, is not installed.\n');
}

(isInstalled ? test : test.skip)('the alert rules are valid, fire when they should, and are silent otherwise', () => {
  expect(promtool('check', 'config', 'docker/prometheus.yml')).toMatch(/SUCCESS: docker\/prometheus.yml is valid/);
  expect(promtool('check', 'rules', 'docker/alerts.yml')).toMatch(/SUCCESS: \d+ rules found/);
  expect(promtool('test', 'rules', 'docker/alerts.test.yml')).toContain('SUCCESS');
});

test('each alert says whom to wake, what is wrong and what to do', () => {
  const { groups } = parse(readFileSync(join(PROJECT_ROOT, 'docker/alerts.yml'), 'utf8')) as { groups: { rules: Alert[] }[] };
  const alerts = groups.flatMap(({ rules }) => rules);
  expect(alerts.length).toBeGreaterThanOrEqual(10);
  const said = ({ labels, annotations: { summary = '', runbook = '' } }: Alert) =>
    /^(page|ticket)$/.test(labels.severity ?? '') && summary !== '' && runbook !== '';
  expect(alerts.filter((one) => !said(one)).map(({ alert }) => alert)).toEqual([]);
});
