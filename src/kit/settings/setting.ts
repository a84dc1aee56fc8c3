import type { ValueType } from './setting-types.js';

/**
 * One setting: an environment variable, else the value at `path` in config/<NODE_ENV>.yaml, else in config/default.yaml, else
 * `default`. A setting without a path can only come from the environment, as secrets must.
 */
export interface Setting<T = unknown> {
  readonly variable: string;
  readonly type: ValueType<T>;
  /** Its meaning, for the table in the README. */
  readonly description: string;
  readonly path?: string;
  readonly default?: T;
  readonly secret?: true;
  /** The value may be undefined. */
  readonly optional?: true;
  readonly requiredInProduction?: true;
  /** Outside production a missing value is generated once and stored in DATA_DIR/secrets.json. Only for settings of the platform. */
  readonly generated?: true;
  /** The variable of another setting that takes the place of this one: setting both is an error. */
  readonly replacedBy?: string;
}

/**
 * Returns its argument, typed.
 *
 * @example
 * ```ts
 * import { setting, settingTypes } from 'work-suite/kit';
 *
 * const FOLDER = setting({ variable: 'FLEET_MAPS', type: settingTypes.folder, default: 'maps', description: 'Where maps are kept.' });
 * ```
 */
export function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}

/**
 * A setting that may have no value.
 *
 * @example
 * ```ts
 * import { optionalSetting, settingTypes } from 'work-suite/kit';
 *
 * const TRACKER = optionalSetting({ variable: 'TRACKER_URL', type: settingTypes.publicUrl, description: 'Where vehicles are tracked.' });
 * ```
 */
export function optionalSetting<T>(definition: Setting<T>): Setting<T | undefined> {
  return { ...definition, optional: true };
}

export type Settable = Readonly<Record<string, Setting>>;
export type ValuesOf<D extends Settable> = { readonly [K in keyof D]: D[K] extends Setting<infer T> ? T : never };
