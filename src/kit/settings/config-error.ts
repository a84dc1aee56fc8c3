/**
 * An error in the configuration. The message explains to the operator how to correct it; it is printed without a stack trace.
 *
 * @example
 * ```ts
 * import { ConfigError } from 'work-suite/kit';
 *
 * throw new ConfigError('FLEET_TRACKER_URL and FLEET_TRACKER_KEY must be set together.');
 * ```
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
