// A reader that ends early, such as `head -1` or a collector of logs that is restarted, stops neither a migration nor a server half-way:
// what they print later is dropped. Imported for its effect.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
