// Loads and validates the settings, from the environment and the files under config/, before anything else starts.

import { ConfigError, type Secret } from '../../kit/index.js';
import type { Setting } from '../../kit/internal.js';
import { readConfigFiles, readConfigFolder } from './config-files.js';
import { makeDataDir } from './data-dir.js';
import { generatedSecret } from './generated-secrets.js';
import { GivenSettings, invalidSetting, type Environment } from './given-settings.js';
import { PROJECT_ROOT } from './project-root.js';
import { SETTINGS, type AppConfig } from './settings.js';

interface LoadOptions {
  /** The folder of default.yaml and the environments' files; by default those of the suite and the project. */
  readonly configDir?: string;
  /** The settings of suite.config.ts. */
  readonly settings?: object;
}

/**
 * Reads every setting of the platform once: environment variable, else config/<NODE_ENV>.yaml, else config/default.yaml, of the project
 * before those of the suite; suite.config.ts stands between them. Those of modules are read by `moduleSlices`, once the modules are loaded.
 * @throws ConfigError naming the setting and what it accepts
 */
export function loadConfig(env: Environment = process.env, { configDir, settings }: LoadOptions = {}): AppConfig {
  const nodeEnv = SETTINGS.nodeEnv.type.parse(env['NODE_ENV'] || 'development', PROJECT_ROOT);
  if (nodeEnv === undefined) throw invalidSetting(SETTINGS.nodeEnv, 'NODE_ENV', env['NODE_ENV']);

  const given = new GivenSettings(
    { ...env, NODE_ENV: nodeEnv },
    configDir === undefined ? readConfigFiles(nodeEnv, settings) : readConfigFolder(nodeEnv, configDir),
    nodeEnv === 'production',
    (name, { dataDir }) => {
      makeDataDir(String(dataDir));
      return generatedSecret(String(dataDir), name);
    },
  );
  const config = Object.freeze({ ...given.namingMisspelt(Object.values<Setting>(SETTINGS), () => given.valuesOf(SETTINGS)), given });
  // otherwise a delivery would be taken over and sent again while its first attempt still runs
  if (config.webhookLeaseMs <= config.webhookTimeoutMs)
    throw new ConfigError(
      `WEBHOOK_LEASE_MS must be more than WEBHOOK_TIMEOUT_MS, which is ${config.webhookTimeoutMs}, but it is ${config.webhookLeaseMs}.`,
    );
  for (const [variable, url] of [
    ['MIGRATION_DATABASE_URL', config.migrationDatabaseUrl],
    ['DATABASE_DIRECT_URL', config.databaseDirectUrl],
  ] as const)
    if (url && !config.databaseUrl) throw new ConfigError(`${variable} is set, but DATABASE_URL is not: set both, to the same database.`);
  return config;
}

/** The first encrypts, all decrypt. */
export function encryptionKeysOf({ encryptionKeys, encryptionKey }: Pick<AppConfig, 'encryptionKeys' | 'encryptionKey'>): string[] {
  return (encryptionKeys ?? [encryptionKey as Secret]).map((key) => key.reveal());
}

/** Known also if the settings are invalid. */
export function isProduction(env: Environment = process.env): boolean {
  return env['NODE_ENV'] === 'production';
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
