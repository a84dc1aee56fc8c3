/** An error in the configuration, which the message tells the operator how to correct; printed without a stack trace. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
