/** A running application in another process. */
export interface AppProcess {
  url: string;
  /** The functions of a source file (named from the project's root), called in the application's process with the application first. */
  inside<M>(file: string): Inside<M>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- any function's parameters
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
