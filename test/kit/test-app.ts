import type { Type } from '@nestjs/common';
import type { Pool } from 'pg';
import type { McpExtension } from '../../src/platform/mcp/local-tools/local-tool.js';
import type { AppProcess, Remote } from './remote.js';
import type { Workspace } from './workspace.js';

export interface TestAppOptions {
  /** Instead of the product's own. Only for an application in the test's own process. */
  modules?: readonly Type[];
  /** Settings by their environment variables' names, over those of the test environment. */
  env?: Record<string, string>;
  mcpExtension?: McpExtension;
  /** A database that several apps of one test share. */
  databaseUrl?: string;
}

/** The real application, listening on a free port of 127.0.0.1, in this process or in another. */
export interface TestApp extends AppProcess {
  databaseUrl: string;
  sql: Pool;
  /** A provider, by its class's name. */
  service<T>(name: string): Remote<T>;
  /** Runs a scheduled job at once, as if it were `now`. */
  runScheduledJob(name: string, now?: Date): Promise<void>;
  /** A fresh organization with two projects, an owner, and keys by request. */
  workspace(): Promise<Workspace>;
  close(): Promise<void>;
}
