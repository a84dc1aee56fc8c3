import type { Type } from '@nestjs/common';
import type { Settings } from '../../src/kit/index.js';
import { BaseUrl } from '../../src/platform/config/base-url.js';
import { encryptionKeysOf, loadConfig } from '../../src/platform/config/config.js';
import { ModuleSettings } from '../../src/platform/config/module-settings.js';
import { moduleSlices } from '../../src/platform/config/module-slices.js';
import { SecretBox } from '../../src/platform/config/secret-box.js';

/** What production requires of the platform's settings. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  BASE_URL: 'https://suite.example.com',
  DATABASE_URL: 'postgres://app:hunter2@db:5432/app',
  CURSOR_SECRET: 'c'.repeat(32),
  SESSION_SECRET: 's'.repeat(32),
  ENCRYPTION_KEY: 'e'.repeat(32),
};

/** The settings of modules as an application would have them; `env` must have DATA_DIR. */
export function settingsOf(modules: readonly Type[], env: Record<string, string>, configDir?: string): Settings {
  const config = loadConfig({ NODE_ENV: 'test', ...env }, { configDir });
  const slices = moduleSlices(config, modules);
  return new ModuleSettings(config, slices, new BaseUrl('http://localhost:1'), new SecretBox(encryptionKeysOf(config)));
}
