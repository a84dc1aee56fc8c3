import type { Setting } from '../../src/kit/internal.js';
import { manifestOf, settingsOf } from '../../src/kit/internal.js';
import { MODULES } from '../../src/modules.js';
import { readConfigFiles } from '../../src/platform/config/config-files.js';
import { SETTINGS } from '../../src/platform/config/settings.js';

/** The README's configuration table in Markdown: the settings of the platform, then those of modules. */
export function settingsTable(): string {
  const defaults = readConfigFiles('development');
  const ofModules = MODULES.flatMap((module) => manifestOf(module).settings ?? []).flatMap((settings) =>
    Object.values(settingsOf(settings)!),
  );
  const rows = [...Object.values<Setting>(SETTINGS), ...ofModules].map((setting) => {
    const fallback = (setting.path === undefined ? undefined : defaults.get(setting.path)?.raw) ?? setting.default;
    return `| \`${setting.variable}\` | ${inTable(fallback)} | ${setting.type.accepts} | ${setting.description} |`;
  });
  return ['| Variable | Default | Accepts | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function inTable(fallback: unknown): string {
  const text = Array.isArray(fallback) ? fallback.join(',') : String(fallback ?? '');
  return text && `\`${text}\``;
}
