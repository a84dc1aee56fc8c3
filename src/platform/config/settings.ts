import { define, optional, type Setting } from './setting.js';
import {
  addressRanges,
  folder,
  givenSecret,
  hostName,
  mailbox,
  oneOf,
  origins,
  publicUrl,
  readableFile,
  secretText,
  secretUrl,
  text,
  wholeNumber,
} from './value-types.js';

const environmentType = oneOf('development', 'test', 'production');

/** Every setting there is: the parser, the AppConfig type and the README's table come from here. */
export const SETTINGS = {
  nodeEnv: define({
    variable: 'NODE_ENV',
    type: environmentType,
    description: "Which environment's file in config/ is laid over config/default.yaml; development when unset.",
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
  queueReconcileMs: define({
    variable: 'QUEUE_RECONCILE_MS',
    path: 'queue.reconcileMs',
    type: wholeNumber(50, 10_000),
    description: 'How often a worker looks for due work by itself, whatever the queue says, in milliseconds.',
  }),
  webhookConcurrency: define({
    variable: 'WEBHOOK_CONCURRENCY',
    path: 'webhooks.concurrency',
    type: wholeNumber(1, 10_000),
    description:
      'Webhook deliveries that one worker has on their way at once; a quarter is for prompt endpoints and a quarter for slow ones, the rest for what turns out to be slow.',
  }),
  webhookTimeoutMs: define({
    variable: 'WEBHOOK_TIMEOUT_MS',
    path: 'webhooks.timeoutMs',
    type: wholeNumber(100, 60_000),
    description: 'Time of one delivery attempt, from connecting to the end of the answer, in milliseconds.',
  }),
  webhookLeaseMs: define({
    variable: 'WEBHOOK_LEASE_MS',
    path: 'webhooks.leaseMs',
    type: wholeNumber(500, 300_000),
    description: 'After this long, in milliseconds, a delivery whose worker fell silent is tried again; more than the timeout.',
  }),
  webhookAttempts: define({
    variable: 'WEBHOOK_ATTEMPTS',
    path: 'webhooks.attempts',
    type: wholeNumber(1, 100),
    description: 'Attempts after which a delivery has failed.',
  }),
  webhookBackoffMs: define({
    variable: 'WEBHOOK_BACKOFF_MS',
    path: 'webhooks.backoffMs',
    type: wholeNumber(10, 86_400_000),
    description: 'Wait before the second attempt, in milliseconds.',
  }),
  webhookBackoffFactor: define({
    variable: 'WEBHOOK_BACKOFF_FACTOR',
    path: 'webhooks.backoffFactor',
    type: wholeNumber(1, 100),
    description: 'What each further wait is multiplied by.',
  }),
  webhookBackoffCapMs: define({
    variable: 'WEBHOOK_BACKOFF_CAP_MS',
    path: 'webhooks.backoffCapMs',
    type: wholeNumber(10, 86_400_000),
    description: 'The longest wait between two attempts, in milliseconds.',
  }),
  webhookDisableAfterHours: define({
    variable: 'WEBHOOK_DISABLE_AFTER_HOURS',
    path: 'webhooks.disableAfterHours',
    type: wholeNumber(1, 8_760),
    description: 'Hours without a success after which a failing endpoint is disabled.',
  }),
  webhookAllowedRanges: define({
    variable: 'WEBHOOK_ALLOWED_RANGES',
    path: 'webhooks.allowedRanges',
    type: addressRanges,
    description: 'Private addresses that webhooks may be sent to; none when empty.',
  }),
  webhookRetentionDays: define({
    variable: 'WEBHOOK_RETENTION_DAYS',
    path: 'retention.webhookDays',
    type: wholeNumber(2, 3_650),
    description: 'Days after which events, deliveries and mails are deleted.',
  }),
  smtpUrl: optional({
    variable: 'SMTP_URL',
    type: secretUrl('smtp:', 'smtps:'),
    secret: true,
    description: 'The mail server; unset, mails stay in the outbox of the developer area.',
  }),
  mailFrom: define({
    variable: 'MAIL_FROM',
    path: 'mail.from',
    type: mailbox,
    description: 'The sender of every mail.',
  }),
  aiBaseUrl: optional({
    variable: 'AI_BASE_URL',
    path: 'ai.baseUrl',
    type: publicUrl,
    description:
      'An OpenAI-compatible API that reads documents, such as https://api.openai.com/v1; unset, a built-in reader does, which sends nothing anywhere.',
  }),
  aiApiKey: optional({
    variable: 'AI_API_KEY',
    type: givenSecret('a key of that API'),
    secret: true,
    description: 'The key that goes to AI_BASE_URL; unset, none is sent.',
  }),
  aiModel: define({
    variable: 'AI_MODEL',
    path: 'ai.model',
    type: text('the name of a model'),
    description: 'The model at AI_BASE_URL.',
  }),
  aiTimeoutMs: define({
    variable: 'AI_TIMEOUT_MS',
    path: 'ai.timeoutMs',
    type: wholeNumber(100, 600_000),
    description: 'Time of one answer of the model, in milliseconds.',
  }),
  sealP12File: optional({
    variable: 'SEAL_P12_FILE',
    path: 'seal.p12File',
    type: readableFile('a PKCS #12 file'),
    requiredInProduction: true,
    description:
      'The RSA key and certificate that seal executed documents; outside production a self-signed one is made when it is first needed, and kept in DATA_DIR.',
  }),
  sealP12Passphrase: optional({
    variable: 'SEAL_P12_PASSPHRASE',
    type: givenSecret('the passphrase of that file'),
    secret: true,
    description: 'Opens SEAL_P12_FILE; unset, the file has none.',
  }),
  encryptionKey: define({
    variable: 'ENCRYPTION_KEY',
    type: secretText(32),
    secret: true,
    generated: true,
    requiredInProduction: true,
    description:
      'Encrypts stored secrets that are needed again, as those that sign webhooks; outside production made once and kept in DATA_DIR.',
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
