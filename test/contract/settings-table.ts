import { readConfigFiles } from '../../src/platform/config/config-files.js';
import type { Setting } from '../../src/platform/config/setting.js';
import { SETTINGS } from '../../src/platform/config/settings.js';

/** The README's configuration table in Markdown. */
export function settingsTable(): string {
  const defaults = readConfigFiles('development');
  const rows = Object.values<Setting>(SETTINGS).map((setting) => {
    const fallback = setting.path === undefined ? undefined : defaults.get(setting.path)?.raw;
    return `| \`${setting.variable}\` | ${inTable(fallback)} | ${setting.type.accepts} | ${setting.description} |`;
  });
  return ['| Variable | Default | Accepts | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function inTable(fallback: unknown): string {
  const text = Array.isArray(fallback) ? fallback.join(',') : String(fallback ?? '');
  return text && `\`${text}\``;
}
