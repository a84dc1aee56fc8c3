import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../config/project-root.js';

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
