const SHARED = Symbol.for('server errors of the test');
// explain-failure.mjs, which jest loads, reads it
const errors = ((globalThis as { [SHARED]?: string[] })[SHARED] ??= []);
const MOST = 5;
/** In the envelope, also where the answer of an MCP call contains it. */
const CAUSE = /"cause":(\{"name":"(?:[^"\\]|\\.)*","message":"(?:[^"\\]|\\.)*","at":(?:null|"(?:[^"\\]|\\.)*")\})/;

/** Notes an unexpected error of the server, so that the message of the test contains it if that fails. */
export function noteServerError(call: string, text: string | undefined): void {
  const [, cause] = CAUSE.exec(text ?? '') ?? [];
  if (cause === undefined || errors.length >= MOST) return;
  const { name, message, at } = JSON.parse(cause) as { name: string; message: string; at: string | null };
  errors.push(`${call} failed on the server with ${name}: ${message}\n    at ${at ?? 'an unknown place'}`);
}
