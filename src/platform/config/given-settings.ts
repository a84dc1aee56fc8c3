import { readFileSync } from 'node:fs';
import { ConfigError } from '../../kit/index.js';
import type { Settable, Setting, ValuesOf } from '../../kit/internal.js';
import type { FileValue } from './config-files.js';
import { PROJECT_ROOT } from './project-root.js';
import { misspeltVariables, unknownVariables } from './unknown-variables.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the operator set, in environment variables and configuration files; an empty variable counts as unset. */
export class GivenSettings {
  // contains secrets: what prints the configuration does not see it
  readonly #environment: Environment;

  constructor(
    environment: Environment,
    private readonly files: ReadonlyMap<string, FileValue>,
    private readonly isProduction: boolean,
    private readonly generate: (name: string, values: Readonly<Record<string, unknown>>) => unknown,
  ) {
    this.#environment = environment;
  }

  /** @throws ConfigError naming the setting and what it accepts */
  valuesOf<D extends Settable>(definitions: D): ValuesOf<D> {
    const settings = Object.entries<Setting>(definitions);
    const values: Record<string, unknown> = Object.fromEntries(settings.map(([name, setting]) => [name, this.read(setting)]));
    for (const [name, setting] of settings) {
      const other = setting.replacedBy !== undefined && settings.find(([, { variable }]) => variable === setting.replacedBy);
      if (other && values[other[0]] !== undefined) {
        if (values[name] !== undefined)
          throw new ConfigError(`${setting.variable} and ${setting.replacedBy} are both set: set one of them.`);
        continue;
      }
      if (values[name] !== undefined) continue;
      if (this.isProduction && setting.requiredInProduction)
        throw new ConfigError(`${setting.variable} must be set when NODE_ENV is production, to ${setting.type.accepts}.`);
      if (setting.default !== undefined) values[name] = setting.default;
      else if (setting.generated) values[name] = setting.type.parse(this.generate(name, values), PROJECT_ROOT);
      else if (!setting.optional)
        throw new ConfigError(
          `${setting.variable} has no value: set it${setting.path === undefined ? '' : `, or ${setting.path} in config/default.yaml`}.`,
        );
    }
    return values as ValuesOf<D>;
  }

  /** A key that is no setting is a mistake in writing, or belongs to a module that is not in the list of modules. */
  requireKnownKeys(settings: readonly Setting[]): void {
    const paths = settings.flatMap(({ path }) => path ?? []);
    for (const [path, { raw, file, isOfPackage }] of this.files) {
      if (isOfPackage || paths.includes(path)) continue;
      // a branch whose lines are all commented out reads as null
      if (raw === null && paths.some((known) => known.startsWith(`${path}.`))) continue;
      throw new ConfigError(`${file} has the key "${path}", which is not a setting.`);
    }
  }

  /** Containers get secrets as files: `<VARIABLE>_FILE` names the file. */
  private fromSecretFile({ secret, variable }: Setting): string | undefined {
    const name = `${variable}_FILE`;
    const path = secret ? this.#environment[name] : undefined;
    if (!path) return undefined;
    if (this.#environment[variable]) throw new ConfigError(`${variable} and ${name} are both set: set one of them.`);
    try {
      return readFileSync(path, 'utf8').trim();
    } catch (error) {
      throw new ConfigError(`${name} must be the path of a file that can be read, but ${path} cannot: ${(error as Error).message}.`);
    }
  }

  /** Variables that look like settings but are none: most are misspelt, and all would be ignored silently. A sentence for each. */
  unknownVariables(settings: readonly Setting[]): string[] {
    return unknownVariables(Object.keys(this.#environment), settings);
  }

  /**
   * Runs what reads settings. A misspelt variable may be why it fails, or be found only at the next start, so the failure names it.
   * @throws ConfigError
   */
  namingMisspelt<R>(settings: readonly Setting[], read: () => R): R {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw new ConfigError([error.message, ...misspeltVariables(Object.keys(this.#environment), settings)].join(' '));
    }
  }

  private read(setting: Setting): unknown {
    const variable = this.fromSecretFile(setting) || this.#environment[setting.variable]?.trim();
    const file = setting.path === undefined ? undefined : this.files.get(setting.path);
    const raw = variable || file?.raw;
    if (raw === undefined || raw === null) return undefined;
    if (Array.isArray(raw) && raw.length === 0) return Object.freeze([]);
    const value = setting.type.parse(raw, PROJECT_ROOT);
    if (value === undefined) throw invalidSetting(setting, variable || !file ? setting.variable : `${setting.path} in ${file.file}`, raw);
    return value;
  }
}

export function invalidSetting({ secret, type }: Setting, source: string, raw: unknown): ConfigError {
  const found = secret ? 'the given value is not' : `it is ${JSON.stringify(raw)}`;
  return new ConfigError(`${source} must be ${type.accepts}, but ${found}.`);
}
