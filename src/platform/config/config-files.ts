import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ConfigError } from '../../kit/index.js';
import { PROJECT_ROOT } from './project-root.js';

/** A value from a file below config/. */
export interface FileValue {
  readonly raw: unknown;
  readonly file: string;
}

const CONFIG_DIR = join(PROJECT_ROOT, 'config');

/** The values by setting path: config/default.yaml overridden by config/<environment>.yaml. */
export function readConfigFiles(environment: string, configDir = CONFIG_DIR): Map<string, FileValue> {
  const values = new Map<string, FileValue>();
  for (const file of ['default.yaml', `${environment}.yaml`])
    for (const [path, raw] of leaves(readYaml(join(configDir, file), file))) {
      // a branch whose lines are all commented out reads as null
      if (raw === null && values.has(path)) continue;
      values.set(path, { raw, file });
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
