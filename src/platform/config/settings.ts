import { optionalSetting as optional, setting as define, settingTypes } from '../../kit/index.js';
import type { ValuesOf } from '../../kit/internal.js';
import type { GivenSettings } from './given-settings.js';

const {
  addressRanges,
  folder,
  givenSecret,
  hostName,
  mailbox,
  oneOf,
  origins,
  publicUrl,
  secretList,
  secretText,
  secretTexts,
  secretUrl,
  text,
  wholeNumber,
} = settingTypes;

const ratio = {
  accepts: 'a number from 0 to 1',
  parse: (raw: unknown) => (raw !== '' && Number(raw) >= 0 && Number(raw) <= 1 ? Number(raw) : undefined),
};

const namePrefix = {
  accepts: 'at most 40 letters, digits and -_.:',
  parse: (raw: unknown) => (typeof raw === 'string' && /^[\w.:-]{0,40}$/.test(raw) ? raw : undefined),
};

const bucketUrl = {
  accepts: 'a URL such as s3://bucket/prefix?region=eu-central-1, or s3://bucket?endpoint=https://minio.example.com',
  parse(raw: unknown): string | undefined {
    if (typeof raw !== 'string' || !URL.canParse(raw)) return undefined;
    const { protocol, hostname, username, hash, searchParams } = new URL(raw);
    const endpoint = searchParams.get('endpoint');
    const isKnown = [...searchParams.keys()].every((name) => name === 'endpoint' || name === 'region');
    const isEndpoint = endpoint === null || /^https?:\/\/[^/?#]+\/?$/.test(endpoint);
    return protocol === 's3:' && hostname && !username && !hash && isKnown && isEndpoint ? raw : undefined;
  },
};

const environmentType = oneOf('development', 'test', 'production');

/**
 * The settings of the platform; modules declare theirs in their manifests. The parser, the AppConfig type and the README's table are
 * derived from them.
 */
export const SETTINGS = {
  nodeEnv: define({
    variable: 'NODE_ENV',
    type: environmentType,
    description: 'The environment, whose file in config/ overrides config/default.yaml; development if unset.',
  }),
  appRole: define({
    variable: 'APP_ROLE',
    path: 'app.role',
    type: oneOf('all', 'api', 'worker'),
    description: 'What this process does: serve requests (api), process jobs (worker), or both (all).',
  }),
  baseUrl: optional({
    variable: 'BASE_URL',
    path: 'app.baseUrl',
    type: publicUrl,
    requiredInProduction: true,
    description: 'The URL at which clients reach the suite; http://localhost:PORT if unset.',
  }),
  dataDir: define({
    variable: 'DATA_DIR',
    path: 'app.dataDir',
    type: folder,
    description: 'Folder for the embedded database and generated secrets; relative to the project folder.',
  }),
  demoSecretSeed: optional({
    variable: 'DEMO_SECRET_SEED',
    type: secretText(16),
    description:
      'In development, the API keys, the password and the ids of a new demo workspace follow from it, so that each new database has the ' +
      'same. Random if unset.',
  }),
  demoBanner: define({
    variable: 'DEMO_BANNER',
    path: 'app.demoBanner',
    type: oneOf('full', 'line'),
    description:
      'What a start with the demo prints: how to use it (full), or the address (line). `work-suite dev` prints a line when it starts anew.',
  }),
  shutdownDelaySeconds: define({
    variable: 'SHUTDOWN_DELAY_SECONDS',
    path: 'app.shutdownDelaySeconds',
    type: wholeNumber(0, 300),
    description:
      'Time in seconds for which a process that serves requests keeps serving them after SIGTERM, while `/health/ready` returns 503 and ' +
      'responses end their connections: load balancers stop sending to it meanwhile. In production 5 by default.',
  }),
  shutdownTimeoutSeconds: define({
    variable: 'SHUTDOWN_TIMEOUT_SECONDS',
    path: 'app.shutdownTimeoutSeconds',
    type: wholeNumber(1, 600),
    description: 'Time that running requests and jobs have to finish after that delay, in seconds.',
  }),
  sourceCommit: optional({
    variable: 'SOURCE_COMMIT',
    type: text('the id of a commit'),
    description:
      'The commit of the source, which `/health`, the OpenAPI documents, MCP and metrics tell; images, packages and builds note it.',
  }),
  logLevel: define({
    variable: 'LOG_LEVEL',
    path: 'app.logLevel',
    type: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    description: 'The lowest level that is logged.',
  }),
  logFormat: define({
    variable: 'LOG_FORMAT',
    path: 'app.logFormat',
    type: oneOf('text', 'json'),
    description: 'Log lines for people (text), or JSON objects for programs (json). In production json by default.',
  }),
  apiDocuments: define({
    variable: 'API_DOCUMENTS',
    path: 'app.apiDocuments',
    type: oneOf('at-start', 'on-demand'),
    description:
      'When the OpenAPI documents and the MCP tools are built after a change of the code. At the start, a mistake in one fails it; ' +
      '`work-suite dev` builds them when something asks for them.',
  }),
  logRequests: define({
    variable: 'LOG_REQUESTS',
    path: 'app.logRequests',
    type: oneOf('yes', 'no'),
    description:
      'Whether each request, job, webhook delivery and mail is a log line when it ends. Health checks and scheduled jobs are logged with ' +
      'LOG_LEVEL=debug only. In production yes by default.',
  }),
  slowRequestMs: define({
    variable: 'SLOW_REQUEST_MS',
    path: 'app.slowRequestMs',
    type: wholeNumber(0, 600_000),
    description: 'A request that takes at least as long, in milliseconds, is logged as a warning; 0 for none.',
  }),
  slowStatementMs: define({
    variable: 'SLOW_STATEMENT_MS',
    path: 'database.slowStatementMs',
    type: wholeNumber(0, 600_000),
    description:
      'An SQL statement that takes at least as long, in milliseconds, is logged as a warning, with its text and without its parameters; ' +
      '0 for none.',
  }),
  host: define({
    variable: 'HOST',
    path: 'http.host',
    type: hostName,
    description: 'The address to listen on; in production 0.0.0.0 by default.',
  }),
  port: define({
    variable: 'PORT',
    path: 'http.port',
    type: wholeNumber(0, 65_535),
    description: 'The port to listen on; 0 selects a free port.',
  }),
  metricsHost: define({
    variable: 'METRICS_HOST',
    path: 'metrics.host',
    type: hostName,
    description: 'The address on which METRICS_PORT listens.',
  }),
  metricsPort: optional({
    variable: 'METRICS_PORT',
    path: 'metrics.port',
    type: wholeNumber(0, 65_535),
    description:
      'A port of its own for `/metrics`, for Prometheus; 0 selects a free port. Without it and METRICS_TOKEN, nothing is measured.',
  }),
  metricsToken: optional({
    variable: 'METRICS_TOKEN',
    type: secretText(16),
    secret: true,
    description: 'The bearer token that `/metrics` requires. Without METRICS_PORT, `/metrics` is served on PORT with this token.',
  }),
  otelExporterOtlpEndpoint: optional({
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    path: 'tracing.endpoint',
    type: publicUrl,
    description:
      'The OpenTelemetry collector that receives traces by OTLP over HTTP, such as http://127.0.0.1:4318. Nothing is traced if unset.',
  }),
  otelExporterOtlpHeaders: optional({
    variable: 'OTEL_EXPORTER_OTLP_HEADERS',
    type: givenSecret('headers as name=value, separated by commas'),
    secret: true,
    description: 'Headers that are sent to the collector, such as `Authorization=Bearer%20...`, with values encoded as in URLs.',
  }),
  otelServiceName: define({
    variable: 'OTEL_SERVICE_NAME',
    path: 'tracing.serviceName',
    type: text('a name'),
    description: 'The name of the service in traces.',
  }),
  otelTracesSamplerArg: define({
    variable: 'OTEL_TRACES_SAMPLER_ARG',
    path: 'tracing.ratio',
    type: ratio,
    description: 'The part of the traces that is recorded. A trace that a client began is recorded if the client says so in traceparent.',
  }),
  bodyLimitBytes: define({
    variable: 'BODY_LIMIT_BYTES',
    path: 'http.bodyLimitBytes',
    type: wholeNumber(1_024, 1_073_741_824),
    description: 'Maximum size of a request body, in bytes.',
  }),
  trustedProxies: define({
    variable: 'TRUSTED_PROXIES',
    path: 'http.trustedProxies',
    type: addressRanges,
    description: 'Proxies whose X-Forwarded-For header is trusted; none if empty.',
  }),
  mcpAllowedOrigins: define({
    variable: 'MCP_ALLOWED_ORIGINS',
    path: 'mcp.allowedOrigins',
    type: origins,
    description: 'Additional web origins whose pages may call the MCP endpoint.',
  }),
  databaseUrl: optional({
    variable: 'DATABASE_URL',
    type: secretUrl('postgres:', 'postgresql:'),
    secret: true,
    requiredInProduction: true,
    description:
      'The PostgreSQL database; if unset, an embedded PostgreSQL runs in DATA_DIR. `?host=/run/postgresql` connects through the Unix ' +
      'socket in that folder.',
  }),
  databaseDirectUrl: optional({
    variable: 'DATABASE_DIRECT_URL',
    type: secretUrl('postgres:', 'postgresql:'),
    secret: true,
    description:
      'The same database past the pooler, if DATABASE_URL leads to one in transaction mode, such as PgBouncer. Notifications, locks and ' +
      'migrations need sessions of their own.',
  }),
  migrationDatabaseUrl: optional({
    variable: 'MIGRATION_DATABASE_URL',
    type: secretUrl('postgres:', 'postgresql:'),
    secret: true,
    description:
      'The same database for migrations: as a user who owns the tables. If unset, migrations use DATABASE_DIRECT_URL or DATABASE_URL.',
  }),
  migrateAtStart: define({
    variable: 'MIGRATE_AT_START',
    path: 'database.migrateAtStart',
    type: oneOf('yes', 'no'),
    description: 'Whether a start runs the migrations that the database lacks. With no, it stops then, until `work-suite migrate` has run.',
  }),
  outbound: define({
    variable: 'OUTBOUND',
    path: 'outbound.send',
    type: oneOf('on', 'off'),
    description: 'Whether webhooks, mails and AI calls are sent. With off they wait, as they should on a copy of the production database.',
  }),
  databasePoolSize: define({
    variable: 'DATABASE_POOL_SIZE',
    path: 'database.poolSize',
    type: wholeNumber(1, 1_000),
    description:
      'Maximum number of connections in the pool of this process. Writes of one organization take four fifths of them at most, so that ' +
      'those that wait for one lock keep nobody else waiting. The process has a few more connections, for notifications, numbers and ' +
      'shared commits.',
  }),
  redisUrl: optional({
    variable: 'REDIS_URL',
    type: secretUrl('redis:', 'rediss:'),
    secret: true,
    description: 'The Redis server; required if more than one process runs.',
  }),
  redisPrefix: define({
    variable: 'REDIS_PREFIX',
    path: 'redis.prefix',
    type: namePrefix,
    description: 'Begins the names of all keys in Redis. Installations that share a server have different ones, such as acme:.',
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
    description: 'Requests per minute for one signed-in member.',
  }),
  rateLimitPerPublicAddress: define({
    variable: 'RATE_LIMIT_PER_PUBLIC_ADDRESS',
    path: 'rateLimit.perPublicAddress',
    type: wholeNumber(1, 1_000_000_000),
    description:
      'Requests per minute from one IP address to routes that need neither a key nor a session; for the documentation 20 times as many.',
  }),
  rateLimitAuthFailuresPerAddress: define({
    variable: 'RATE_LIMIT_AUTH_FAILURES_PER_ADDRESS',
    path: 'rateLimit.authFailuresPerAddress',
    type: wholeNumber(1, 1_000_000_000),
    description: 'Failed authentications per minute after which requests from an IP address are rejected.',
  }),
  rateLimitOauthClientsPerAddress: define({
    variable: 'RATE_LIMIT_OAUTH_CLIENTS_PER_ADDRESS',
    path: 'rateLimit.oauthClientsPerAddress',
    type: wholeNumber(1, 1_000_000_000),
    description: 'OAuth clients that an IP address may register, or whose metadata it may cause to be read, in ten minutes.',
  }),
  rateLimitOauthTokensPerAddress: define({
    variable: 'RATE_LIMIT_OAUTH_TOKENS_PER_ADDRESS',
    path: 'rateLimit.oauthTokensPerAddress',
    type: wholeNumber(1, 1_000_000_000),
    description: 'Requests for OAuth tokens per minute from one IP address, which the clients of many people may share.',
  }),
  oauthClients: optional({
    variable: 'OAUTH_CLIENTS',
    type: secretList(
      'a JSON list of OAuth clients, each with client_id, client_name, redirect_uris and, if it can keep one, client_secret',
    ),
    secret: true,
    description: 'OAuth clients that need not register themselves.',
  }),
  requestLogRetentionDays: define({
    variable: 'REQUEST_LOG_RETENTION_DAYS',
    path: 'retention.requestLogDays',
    type: wholeNumber(1, 3_650),
    description: 'Days for which request log entries are kept; they are deleted up to a tenth later.',
  }),
  auditRetentionDays: define({
    variable: 'AUDIT_RETENTION_DAYS',
    path: 'retention.auditDays',
    type: wholeNumber(1, 36_500),
    description: 'Days after which entries of the audit log are deleted.',
  }),
  organizationGraceDays: define({
    variable: 'ORGANIZATION_GRACE_DAYS',
    path: 'retention.organizationGraceDays',
    type: wholeNumber(1, 365),
    description: 'Days between the deletion of an organization, which stops it, and the erasure of its data.',
  }),
  idempotencyRetentionHours: define({
    variable: 'IDEMPOTENCY_RETENTION_HOURS',
    path: 'retention.idempotencyHours',
    type: wholeNumber(1, 8_760),
    description: 'Hours for which a repeated Idempotency-Key returns the stored response.',
  }),
  queueReconcileMs: define({
    variable: 'QUEUE_RECONCILE_MS',
    path: 'queue.reconcileMs',
    type: wholeNumber(50, 10_000),
    description: 'Interval at which a worker polls for due work in case a job notification is lost, in milliseconds.',
  }),
  webhookConcurrency: define({
    variable: 'WEBHOOK_CONCURRENCY',
    path: 'webhooks.concurrency',
    type: wholeNumber(1, 10_000),
    description:
      'Maximum number of webhook deliveries in flight per worker. A quarter is reserved for fast endpoints and a quarter for slow ' +
      'ones; the rest is for deliveries that turn out to be slow.',
  }),
  webhookTimeoutMs: define({
    variable: 'WEBHOOK_TIMEOUT_MS',
    path: 'webhooks.timeoutMs',
    type: wholeNumber(100, 60_000),
    description: 'Timeout of a delivery attempt, from connecting to the end of the response, in milliseconds.',
  }),
  webhookLeaseMs: define({
    variable: 'WEBHOOK_LEASE_MS',
    path: 'webhooks.leaseMs',
    type: wholeNumber(500, 300_000),
    description: 'Time after which a delivery is retried if its worker stopped responding, in milliseconds; more than the timeout.',
  }),
  webhookAttempts: define({
    variable: 'WEBHOOK_ATTEMPTS',
    path: 'webhooks.attempts',
    type: wholeNumber(1, 100),
    description: 'Number of attempts after which a delivery fails.',
  }),
  webhookBackoffMs: define({
    variable: 'WEBHOOK_BACKOFF_MS',
    path: 'webhooks.backoffMs',
    type: wholeNumber(10, 86_400_000),
    description: 'Delay before the second attempt, in milliseconds.',
  }),
  webhookBackoffFactor: define({
    variable: 'WEBHOOK_BACKOFF_FACTOR',
    path: 'webhooks.backoffFactor',
    type: wholeNumber(1, 100),
    description: 'Factor by which the delay increases with each further attempt.',
  }),
  webhookBackoffCapMs: define({
    variable: 'WEBHOOK_BACKOFF_CAP_MS',
    path: 'webhooks.backoffCapMs',
    type: wholeNumber(10, 86_400_000),
    description: 'Maximum delay between two attempts, in milliseconds.',
  }),
  webhookDisableAfterHours: define({
    variable: 'WEBHOOK_DISABLE_AFTER_HOURS',
    path: 'webhooks.disableAfterHours',
    type: wholeNumber(1, 8_760),
    description: 'Hours without a successful delivery after which a failing endpoint is disabled.',
  }),
  webhookAllowedRanges: define({
    variable: 'WEBHOOK_ALLOWED_RANGES',
    path: 'webhooks.allowedRanges',
    type: addressRanges,
    description: 'Private addresses to which webhooks may be sent and from which files may be downloaded; none if empty.',
  }),
  webhookRetentionDays: define({
    variable: 'WEBHOOK_RETENTION_DAYS',
    path: 'retention.webhookDays',
    type: wholeNumber(2, 3_650),
    description: 'Days for which events, deliveries and mails are kept; mails are deleted up to a tenth later, the others up to a quarter.',
  }),
  storageUrl: optional({
    variable: 'STORAGE_URL',
    path: 'storage.url',
    type: bucketUrl,
    description:
      'The bucket that keeps the contents of files, such as PDFs; if unset, PostgreSQL does. Without `endpoint` it is one of AWS.',
  }),
  storageAccessKeyId: optional({
    variable: 'STORAGE_ACCESS_KEY_ID',
    type: givenSecret('the id of an access key'),
    secret: true,
    description: 'The access key of STORAGE_URL; if unset, what the machine has, such as a role of AWS.',
  }),
  storageSecretAccessKey: optional({
    variable: 'STORAGE_SECRET_ACCESS_KEY',
    type: givenSecret('the secret of that access key'),
    secret: true,
    description: 'Its secret.',
  }),
  storageTarget: define({
    variable: 'STORAGE_TARGET',
    path: 'storage.target',
    type: oneOf('storage', 'database'),
    description:
      'Where files are kept if STORAGE_URL is set: database moves none there any more, so that `work-suite storage migrate` can move all ' +
      'back to PostgreSQL.',
  }),
  smtpUrl: optional({
    variable: 'SMTP_URL',
    type: secretUrl('smtp:', 'smtps:'),
    secret: true,
    description: 'The mail server; if unset, mails stay in the outbox of the developer area.',
  }),
  mailFrom: define({
    variable: 'MAIL_FROM',
    path: 'mail.from',
    type: mailbox,
    description: 'The sender of every mail.',
  }),
  encryptionKey: optional({
    variable: 'ENCRYPTION_KEY',
    type: secretText(32),
    secret: true,
    generated: true,
    requiredInProduction: true,
    replacedBy: 'ENCRYPTION_KEYS',
    description: 'Encrypts stored secrets, such as webhook signing secrets; outside production generated once and kept in DATA_DIR.',
  }),
  encryptionKeys: optional({
    variable: 'ENCRYPTION_KEYS',
    type: secretTexts(32),
    secret: true,
    description:
      'Instead of ENCRYPTION_KEY while it is replaced: the first key encrypts, all decrypt. `work-suite secrets rotate` encrypts what is ' +
      'stored with the first one; then set it as ENCRYPTION_KEY. A JSON list if a key contains a comma.',
  }),
  cursorSecret: define({
    variable: 'CURSOR_SECRET',
    type: secretText(32),
    secret: true,
    generated: true,
    requiredInProduction: true,
    description:
      'Signs page cursors: those that were returned before a change of this secret are refused. Outside production generated once and ' +
      'kept in DATA_DIR.',
  }),
  sessionSecret: define({
    variable: 'SESSION_SECRET',
    type: secretText(32),
    secret: true,
    generated: true,
    requiredInProduction: true,
    description: 'Signs sessions: a change signs everybody out. Outside production generated once and kept in DATA_DIR.',
  }),
} as const;

/** The values, and what was given, for the settings of modules. */
export type AppConfig = ValuesOf<typeof SETTINGS> & { readonly given: GivenSettings };
