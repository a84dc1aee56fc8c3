/** An error in the configuration. The message explains to the operator how to correct it; it is printed without a stack trace. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
