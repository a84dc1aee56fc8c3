import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ConfigError } from './config-error.js';
import { PROJECT_ROOT } from './project-root.js';
import type { Setting } from './setting.js';
import { SETTINGS } from './settings.js';

/** A value from a file, with the source to name if it is invalid. */
export interface FileValue {
  readonly raw: unknown;
  readonly source: string;
}

const CONFIG_DIR = join(PROJECT_ROOT, 'config');

/** The values by setting path: config/default.yaml overridden by config/<environment>.yaml. */
export function readConfigFiles(environment: string, configDir = CONFIG_DIR): Map<string, FileValue> {
  const settings: Setting[] = Object.values(SETTINGS);
  const paths = settings.flatMap((setting) => setting.path ?? []);
  const values = new Map<string, FileValue>();
  for (const name of ['default.yaml', `${environment}.yaml`]) {
    for (const [path, raw] of leaves(readYaml(join(configDir, name), name))) {
      // A branch whose lines are all commented out reads as null.
      if (raw === null && paths.some((known) => known === path || known.startsWith(`${path}.`))) continue;
      if (!paths.includes(path)) throw new ConfigError(`config/${name} has the key "${path}", which is not a setting.`);
      values.set(path, { raw, source: `${path} in config/${name}` });
    }
  }
  return values;
}

function readYaml(path: string, name: string): unknown {
  if (!existsSync(path)) return {};
  try {
    return parse(readFileSync(path, 'utf8')) ?? {};
  } catch (error) {
    const [firstLine = ''] = (error as Error).message.split('\n');
    throw new ConfigError(`config/${name} cannot be read as YAML: ${firstLine}`);
  }
}

function leaves(node: unknown, path = ''): [path: string, raw: unknown][] {
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return [[path, node]];
  return Object.entries(node).flatMap(([key, child]) => leaves(child, path ? `${path}.${key}` : key));
}
