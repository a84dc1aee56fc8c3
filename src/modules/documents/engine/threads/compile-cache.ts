import module from 'node:module';
import { dirname } from 'node:path';

/** The environment of threads and processes: none of the service's secrets. Without the cache each would compile its packages. */
export function compileCache(): Record<string, string> {
  // Node adds a folder for its version to the one that it is given
  const cache = module.getCompileCacheDir?.();
  return cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {};
}
