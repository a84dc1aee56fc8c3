import type { ValueType } from './value-types.js';

/**
 * One setting. Its default is in config/default.yaml (or the environment's file) at `path`; a setting without a path can only come
 * from the environment, as secrets must.
 */
export interface Setting<T = unknown> {
  readonly variable: string;
  readonly type: ValueType<T>;
  readonly description: string;
  readonly path?: string;
  readonly secret?: true;
  /** The value may be undefined. */
  readonly optional?: true;
  readonly requiredInProduction?: true;
  /** Outside production a missing value is generated once and stored in DATA_DIR/secrets.json. */
  readonly generated?: true;
}

export function define<T>(setting: Setting<T>): Setting<T> {
  return setting;
}

export function optional<T>(setting: Setting<T>): Setting<T | undefined> {
  return { ...setting, optional: true };
}
