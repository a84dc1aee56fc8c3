/** A filled-in form has pages of some 100 KiB; the largest streams are fonts. The buffers of pdf.js double as they grow. */
const MOST_STREAM_MIB = 32;

export class TooLong extends Error {}

let streamIsTooLong = false;
let isLimited = false;
let depth = 0;

/**
 * Limits the buffers that the code in this thread can allocate: compression reduces zeros to a thousandth, pdf.js inflates a whole
 * stream before it reads it, and `resourceLimits` counts only the heap. Call it in a thread that reads files and does nothing else.
 */
export function limitBuffers(): void {
  if (isLimited) return;
  isLimited = true;
  // would collect a stream of any length; without it pdf.js inflates into a buffer
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
  // the decoders of pdf.js write to buffers of these two types
  globalThis.Uint8Array = limited(globalThis.Uint8Array);
  globalThis.Int8Array = limited(globalThis.Int8Array);
}

function limited<T extends Uint8ArrayConstructor | Int8ArrayConstructor>(type: T): T {
  const own: T = new Proxy(type, {
    construct(target, args: unknown[], newTarget): object {
      if (typeof args[0] === 'number' && args[0] > MOST_STREAM_MIB * 2 ** 20) {
        // pdf.js ignores errors in parts of a file, so throwing alone would silently omit a part
        streamIsTooLong = true;
        requireShortStreams();
      }
      return Reflect.construct(target, args, newTarget === own ? target : newTarget) as object;
    },
  });
  return own;
}

/** Runs `work`; rejects with TooLong if it reached the limit, even if it ignored that. Within another call, both reject. */
export async function withinLimits<R>(work: () => Promise<R>): Promise<R> {
  if (depth === 0) streamIsTooLong = false;
  depth++;
  try {
    return await work();
  } finally {
    depth--;
    requireShortStreams();
  }
}

function requireShortStreams(): void {
  if (streamIsTooLong) throw new TooLong(`has a stream that is longer than ${MOST_STREAM_MIB} MiB when it is decompressed`);
}
