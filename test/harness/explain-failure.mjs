// For native-environment.mjs: the message of a test that fails contains what the server said about its unexpected errors.

// server-errors.ts, which Node loads for the test files, adds to it
const errors = (globalThis[Symbol.for('server errors of the test')] ??= []);

const readers = (globalThis[Symbol.for('job failures of the test')] ??= new Set());
let since = new Date();

export function forgetServerErrors() {
  errors.length = 0;
  since = new Date();
}

/** Adds the errors since the test began to that of the test. */
export async function explainFailure(thrown) {
  const error = Array.isArray(thrown) ? thrown[0] : thrown;
  if (!(error instanceof Error)) return;
  // the database may be gone, which may be what the test is about
  const failures = await Promise.allSettled([...readers].map((read) => read(since)));
  const { message, stack = '' } = error;
  // a check of an answer says it already
  const told = errors.filter((one) => !message.includes(one.message)).map(({ text }) => text);
  const found = [...told, ...failures.flatMap(({ value = [] }) => value)];
  if (found.length === 0) return;
  const explained = [message, ...found].join('\n\n');
  error.message = explained;
  error.stack = stack.includes(message) ? stack.replace(message, () => explained) : `${explained}\n${stack}`;
  forgetServerErrors();
}
