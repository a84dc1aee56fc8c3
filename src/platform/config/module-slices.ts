import type { Type } from '@nestjs/common';
import { ConfigError } from '../../kit/index.js';
import { manifestOf, placeOfManifest, settingsOf, type Setting, type SettingsClass } from '../../kit/internal.js';
import { SETTINGS, type AppConfig } from './settings.js';

/** The values of the modules' settings, by their class. */
export type Slices = ReadonlyMap<SettingsClass, object>;

/**
 * Reads the settings that the manifests of modules declare.
 * @throws ConfigError naming a setting and what it accepts, or a key of a configuration file that is no setting
 */
export function moduleSlices({ given }: AppConfig, modules: readonly Type[]): Slices {
  const classes = modules.flatMap((module) => manifestOf(module).settings ?? []);
  requireDistinct(modules);
  const all = settingsIn(modules);
  given.requireKnownKeys(all);
  const slice = (settings: SettingsClass) => Object.freeze(Object.assign(new settings(), given.valuesOf(settingsOf(settings) ?? {})));
  return given.namingMisspelt(all, () => new Map(classes.map((settings) => [settings, slice(settings)])));
}

/** The settings of the platform and of modules. */
export function settingsIn(modules: readonly Type[]): Setting[] {
  const classes = modules.flatMap((module) => manifestOf(module).settings ?? []);
  return [...Object.values<Setting>(SETTINGS), ...classes.flatMap((settings) => Object.values(settingsOf(settings) ?? {}))];
}

function requireDistinct(modules: readonly Type[]): void {
  const owners = new Map<string, string>();
  const all: [string, Setting[]][] = [
    ['the platform', Object.values<Setting>(SETTINGS)],
    ...modules.flatMap((module) => {
      const { settings = [], file } = manifestOf(module);
      return settings.map((one): [string, Setting[]] => [one.name + placeOfManifest(file), Object.values(settingsOf(one) ?? {})]);
    }),
  ];
  for (const [owner, settings] of all)
    for (const { variable, path, secret } of settings) {
      for (const name of [variable, ...(path === undefined ? [] : [path])]) {
        const other = owners.get(name);
        if (other !== undefined) throw new ConfigError(`The setting ${name} is declared by ${other} and by ${owner}: choose another name.`);
        owners.set(name, owner);
      }
      if (secret && path !== undefined)
        throw new ConfigError(`The setting ${variable} of ${owner} is secret, so it cannot come from a file: remove its path.`);
    }
}
