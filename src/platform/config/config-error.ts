/** The operator's mistake, in one sentence they can act on; printed without a stack. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
