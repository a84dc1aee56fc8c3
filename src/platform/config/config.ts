// Loads and validates the settings, from the environment and the files under config/, before anything else starts.

import { ConfigError } from './config-error.js';
import { readConfigFiles, type FileValue } from './config-files.js';
import { makeDataDir } from './data-dir.js';
import { generatedSecret } from './generated-secrets.js';
import type { Setting } from './setting.js';
import { SETTINGS, type AppConfig } from './settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

interface LoadOptions {
  /** The folder of default.yaml and the environments' files; the project's config folder by default. */
  readonly configDir?: string;
}

type Name = keyof typeof SETTINGS;

/**
 * Reads every setting once: environment variable, else config/<NODE_ENV>.yaml, else config/default.yaml. An empty variable
 * counts as unset.
 * @throws ConfigError naming the setting and what it accepts
 */
export function loadConfig(env: Environment = process.env, { configDir }: LoadOptions = {}): AppConfig {
  const nodeEnv = SETTINGS.nodeEnv.type.parse(env['NODE_ENV'] || 'development');
  if (nodeEnv === undefined) throw invalidSetting(SETTINGS.nodeEnv, 'NODE_ENV', env['NODE_ENV']);

  const files = readConfigFiles(nodeEnv, configDir);
  const given = Object.entries<Setting>(SETTINGS).map(([name, setting]) => [name, read(setting, env, files)] as const);
  const values: Record<Name, unknown> = { ...(Object.fromEntries(given) as Record<Name, unknown>), nodeEnv };

  for (const [name, setting] of Object.entries<Setting>(SETTINGS) as [Name, Setting][]) {
    if (values[name] !== undefined) continue;
    if (nodeEnv === 'production' && setting.requiredInProduction) {
      throw new ConfigError(`${setting.variable} must be set when NODE_ENV is production, to ${setting.type.accepts}.`);
    }
    if (!setting.optional && !setting.generated) {
      throw new ConfigError(`${setting.variable} has no value: set it, or ${setting.path} in config/default.yaml.`);
    }
    if (setting.generated) {
      makeDataDir(String(values.dataDir));
      values[name] = setting.type.parse(generatedSecret(String(values.dataDir), name));
    }
  }
  const config = Object.freeze(values as AppConfig);
  // otherwise a delivery would be taken over and sent again while its first attempt still runs
  if (config.webhookLeaseMs <= config.webhookTimeoutMs)
    throw new ConfigError(
      `WEBHOOK_LEASE_MS must be more than WEBHOOK_TIMEOUT_MS, which is ${config.webhookTimeoutMs}, but it is ${config.webhookLeaseMs}.`,
    );
  return config;
}

/** BASE_URL, or the local URL with the port that is listened on, which PORT=0 leaves to the system. */
export function publicUrl(config: Pick<AppConfig, 'baseUrl'>, listeningPort: number): string {
  return config.baseUrl ?? `http://localhost:${listeningPort}`;
}

/**
 * Whether browsers must send cookies over https only. Always in production, where a proxy may terminate TLS in front of an http address.
 */
export function hasSecureCookies({ nodeEnv, baseUrl }: Pick<AppConfig, 'nodeEnv' | 'baseUrl'>): boolean {
  return nodeEnv === 'production' || (baseUrl?.startsWith('https:') ?? false);
}

function read(setting: Setting, env: Environment, files: Map<string, FileValue>): unknown {
  const variable = env[setting.variable]?.trim();
  const file = setting.path ? files.get(setting.path) : undefined;
  if (!variable && !file) return undefined;

  const raw = variable || file?.raw;
  if (Array.isArray(raw) && raw.length === 0) return Object.freeze([]);
  const value = setting.type.parse(raw);
  if (value === undefined) throw invalidSetting(setting, variable ? setting.variable : (file?.source ?? setting.variable), raw);
  return value;
}

function invalidSetting(setting: Setting, source: string, raw: unknown): ConfigError {
  const found = setting.secret ? 'the given value is not' : `it is ${JSON.stringify(raw)}`;
  return new ConfigError(`${source} must be ${setting.type.accepts}, but ${found}.`);
}
