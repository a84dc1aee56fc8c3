import type { Type } from '@nestjs/common';
import type { Pool } from 'pg';
import type { McpExtension } from '../../src/platform/mcp/local-tools/local-tool.js';
import type { AppProcess, Remote } from './remote.js';
import type { Workspace } from './workspace.js';

export interface TestAppOptions {
  /** Replaces the product's modules. Only for an application in the test's process. */
  modules?: readonly Type[];
  /** Settings by environment variable, which override those of the test environment. */
  env?: Record<string, string>;
  mcpExtension?: McpExtension;
  /** A database that several applications of a test share. */
  databaseUrl?: string;
}

/** The real application, listening on a free port of 127.0.0.1, in this process or in another. */
export interface TestApp extends AppProcess {
  databaseUrl: string;
  sql: Pool;
  /** A provider, by its class's name. */
  service<T>(name: string): Remote<T>;
  /** Runs a scheduled job immediately, as if it were `now`. */
  runScheduledJob(name: string, now?: Date): Promise<void>;
  /** Creates an organization with two projects and an owner; it can create keys. */
  workspace(): Promise<Workspace>;
  close(): Promise<void>;
}
