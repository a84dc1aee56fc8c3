import {
  addressRanges,
  folder,
  hostName,
  oneOf,
  origins,
  publicUrl,
  secretText,
  secretUrl,
  wholeNumber,
  type ValueType,
} from './value-types.js';

/**
 * One setting. Its default stands in config/default.yaml (or the environment's file) at `path`; a setting without a path
 * can only come from the environment, as secrets must.
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
  /** Outside production a missing value is made once and kept in DATA_DIR/secrets.json. */
  readonly generated?: true;
}

const environmentType = oneOf('development', 'test', 'production');

/** Every setting there is: the parser, the AppConfig type and the README's table come from here. */
export const SETTINGS = {
  nodeEnv: define({
    variable: 'NODE_ENV',
    type: environmentType,
    description: 'Which environment\'s file in config/ is laid over config/default.yaml; development when unset.',
  }),
  appRole: define({
    variable: 'APP_ROLE',
    path: 'app.role',
    type: oneOf('all', 'api', 'worker'),
    description: 'What this process does: answer requests, work off jobs, or both.',
  }),
  baseUrl: optional({
    variable: 'BASE_URL',
    path: 'app.baseUrl',
    type: publicUrl,
    description: 'The address by which clients reach the suite; http://localhost:PORT when unset.',
  }),
  dataDir: define({
    variable: 'DATA_DIR',
    path: 'app.dataDir',
    type: folder,
    description: 'Folder for the embedded database and generated secrets; relative paths count from the project.',
  }),
  shutdownTimeoutSeconds: define({
    variable: 'SHUTDOWN_TIMEOUT_SECONDS',
    path: 'app.shutdownTimeoutSeconds',
    type: wholeNumber(1, 600),
    description: 'How long running requests and jobs may take to finish after SIGTERM.',
  }),
  logLevel: define({
    variable: 'LOG_LEVEL',
    path: 'app.logLevel',
    type: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    description: 'The least severe level that is logged.',
  }),
  host: define({
    variable: 'HOST',
    path: 'http.host',
    type: hostName,
    description: 'The address to listen on; with NODE_ENV=production 0.0.0.0 unless set.',
  }),
  port: define({
    variable: 'PORT',
    path: 'http.port',
    type: wholeNumber(0, 65_535),
    description: 'The port to listen on; 0 takes any free one.',
  }),
  bodyLimitBytes: define({
    variable: 'BODY_LIMIT_BYTES',
    path: 'http.bodyLimitBytes',
    type: wholeNumber(1_024, 1_073_741_824),
    description: 'The largest request body that is read.',
  }),
  trustedProxies: define({
    variable: 'TRUSTED_PROXIES',
    path: 'http.trustedProxies',
    type: addressRanges,
    description: 'Proxies whose X-Forwarded-For is believed; none when empty.',
  }),
  mcpAllowedOrigins: define({
    variable: 'MCP_ALLOWED_ORIGINS',
    path: 'mcp.allowedOrigins',
    type: origins,
    description: 'Web origins, besides our own, whose pages may call the MCP endpoint.',
  }),
  databaseUrl: optional({
    variable: 'DATABASE_URL',
    type: secretUrl('postgres:', 'postgresql:'),
    secret: true,
    requiredInProduction: true,
    description: 'The PostgreSQL database; unset, an embedded PostgreSQL runs in DATA_DIR.',
  }),
  databasePoolSize: define({
    variable: 'DATABASE_POOL_SIZE',
    path: 'database.poolSize',
    type: wholeNumber(1, 1_000),
    description: 'Database connections that this process may hold.',
  }),
  redisUrl: optional({
    variable: 'REDIS_URL',
    type: secretUrl('redis:', 'rediss:'),
    secret: true,
    description: 'The Redis server; needed as soon as more than one process runs.',
  }),
  rateLimitPerKey: define({
    variable: 'RATE_LIMIT_PER_KEY',
    path: 'rateLimit.perKey',
    type: wholeNumber(1, 1_000_000_000),
    description: 'Requests per minute for one API key.',
  }),
  rateLimitPerOrganization: define({
    variable: 'RATE_LIMIT_PER_ORGANIZATION',
    path: 'rateLimit.perOrganization',
    type: wholeNumber(1, 1_000_000_000),
    description: 'Requests per minute for all keys of one organization together.',
  }),
  rateLimitPerMember: define({
    variable: 'RATE_LIMIT_PER_MEMBER',
    path: 'rateLimit.perMember',
    type: wholeNumber(1, 1_000_000_000),
    description: 'Requests per minute of one signed-in member.',
  }),
  rateLimitPerPublicAddress: define({
    variable: 'RATE_LIMIT_PER_PUBLIC_ADDRESS',
    path: 'rateLimit.perPublicAddress',
    type: wholeNumber(1, 1_000_000_000),
    description: 'Requests per minute of one address to what needs neither key nor session.',
  }),
  rateLimitAuthFailuresPerAddress: define({
    variable: 'RATE_LIMIT_AUTH_FAILURES_PER_ADDRESS',
    path: 'rateLimit.authFailuresPerAddress',
    type: wholeNumber(1, 1_000_000_000),
    description: 'Failed authentications per minute before an address has to wait.',
  }),
  requestLogRetentionDays: define({
    variable: 'REQUEST_LOG_RETENTION_DAYS',
    path: 'retention.requestLogDays',
    type: wholeNumber(1, 3_650),
    description: 'Days after which request log entries are deleted.',
  }),
  idempotencyRetentionHours: define({
    variable: 'IDEMPOTENCY_RETENTION_HOURS',
    path: 'retention.idempotencyHours',
    type: wholeNumber(1, 8_760),
    description: 'Hours for which a repeated Idempotency-Key gets the first answer again.',
  }),
  cursorSecret: define({
    variable: 'CURSOR_SECRET',
    type: secretText(32),
    secret: true,
    generated: true,
    requiredInProduction: true,
    description: 'Signs page cursors; outside production made once and kept in DATA_DIR.',
  }),
  sessionSecret: define({
    variable: 'SESSION_SECRET',
    type: secretText(32),
    secret: true,
    generated: true,
    requiredInProduction: true,
    description: 'Signs console sessions; outside production made once and kept in DATA_DIR.',
  }),
} as const;

export type AppConfig = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;
};

function define<T>(setting: Setting<T>): Setting<T> {
  return setting;
}

function optional<T>(setting: Setting<T>): Setting<T | undefined> {
  return { ...setting, optional: true };
}
