import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ConfigError } from '../../kit/index.js';
import { PACKAGE_ROOT, PROJECT_ROOT } from './project-root.js';

/** A value from a file below config/, or from suite.config.ts. */
export interface FileValue {
  readonly raw: unknown;
  readonly file: string;
  /** Of the installed suite: settings of modules that the project leaves out are among them. */
  readonly isOfPackage?: boolean;
}

type Values = Map<string, FileValue>;

/** The values by setting path: those of the suite, overridden by those of suite.config.ts, and those by the project's files. */
export function readConfigFiles(environment: string, settings: object = {}): Values {
  const ofSuite = readConfigFolder(environment, join(PACKAGE_ROOT, 'config'));
  const ofConfig = new Map(leaves(settings).map(([path, raw]) => [path, { raw, file: 'suite.config.ts' }]));
  if (PROJECT_ROOT === PACKAGE_ROOT) return new Map([...ofSuite, ...ofConfig]);
  const ofPackage = [...ofSuite].map(([path, value]): [string, FileValue] => [path, { ...value, isOfPackage: true }]);
  return new Map([...ofPackage, ...ofConfig, ...readConfigFolder(environment, join(PROJECT_ROOT, 'config'))]);
}

/** The values of a folder: default.yaml overridden by <environment>.yaml. */
export function readConfigFolder(environment: string, folder: string): Values {
  const values: Values = new Map();
  for (const file of ['default.yaml', `${environment}.yaml`])
    for (const [path, raw] of leaves(readYaml(join(folder, file), file))) {
      // a branch whose lines are all commented out reads as null
      if (raw === null && values.has(path)) continue;
      values.set(path, { raw, file: `config/${file}` });
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
