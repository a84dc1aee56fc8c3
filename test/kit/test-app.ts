import type { Type } from '@nestjs/common';
import type { Pool } from 'pg';
import type { McpExtension } from '../../src/platform/mcp/local-tools/local-tool.js';
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
export interface TestApp {
  url: string;
  databaseUrl: string;
  sql: Pool;
  /** The functions of a source file (named from the project's root), called in the application's process with the application first. */
  inside<M>(file: string): Inside<M>;
  /** A provider, by its class's name. */
  service<T>(name: string): Remote<T>;
  /** Runs a scheduled job at once, as if it were `now`. */
  runScheduledJob(name: string, now?: Date): Promise<void>;
  /** A fresh organization with two projects, an owner, and keys by request. */
  workspace(): Promise<Workspace>;
  close(): Promise<void>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any function's parameters
type Method = (...args: any[]) => unknown;
type Later<F extends Method, P extends unknown[]> = (...args: P) => Promise<Awaited<ReturnType<F>>>;

/** The methods of a provider. Arguments and results cross processes as JSON, with dates and system contexts kept. */
export type Remote<T> = { [K in keyof T as T[K] extends Method ? K : never]: T[K] extends Method ? Later<T[K], Parameters<T[K]>> : never };

/** The functions of a module without their first parameter, which is the application. */
export type Inside<M> = {
  [K in keyof M as M[K] extends Method ? K : never]: M[K] extends (app: never, ...rest: infer P) => unknown ? Later<M[K], P> : never;
};

/** An object whose every property is a function that calls `send` with the property's name. */
export function caller<T>(send: (name: string, args: unknown[]) => Promise<unknown>): T {
  return new Proxy({}, { get: (_target, name) => (name === 'then' ? undefined : (...args: unknown[]) => send(String(name), args)) }) as T;
}
