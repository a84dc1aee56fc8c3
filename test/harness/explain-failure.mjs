// For native-environment.mjs: the message of a test that fails contains what the server said about its unexpected errors.

// server-errors.ts, which Node loads for the test files, adds to it
const errors = (globalThis[Symbol.for('server errors of the test')] ??= []);

export function forgetServerErrors() {
  errors.length = 0;
}

/** Adds the errors since the test began to that of the test. */
export function explainFailure(thrown) {
  const error = Array.isArray(thrown) ? thrown[0] : thrown;
  if (!(error instanceof Error) || errors.length === 0) return;
  const { message, stack = '' } = error;
  const explained = [message, ...errors].join('\n\n');
  error.message = explained;
  error.stack = stack.includes(message) ? stack.replace(message, () => explained) : `${explained}\n${stack}`;
  forgetServerErrors();
}
