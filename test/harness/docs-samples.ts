import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { unpackClient } from './client-package.js';

/** The samples of an operation, as the reference shows them. */
export interface DocumentedSample {
  path: string;
  /** Null for what is no tool. */
  mcp: string | null;
  curl: string;
  typeScript: string;
}

/** The samples of the reference, whose pages as Markdown have one section for each operation. */
export async function documentedSamples(url: string, prefix: string): Promise<DocumentedSample[]> {
  const listed = await (await fetch(`${url}/llms.txt`)).text();
  const pages = [...listed.matchAll(/\]\([^)]*(\/docs\/api\/([^/)]+)\/[^)]+\.md)\)/g)].flatMap(([, path, of]) =>
    of === prefix ? [path] : [],
  );
  const samples: DocumentedSample[] = [];
  for (const path of pages) {
    const text = await (await fetch(url + path)).text();
    for (const section of text.split(/^## /m)) {
      const codeOf = (label: string) => new RegExp(`^${label}:\n\n\`\`\`\\w+\n([\\s\\S]*?)\n\`\`\``, 'm').exec(section)?.[1];
      const [curl, typeScript, mcp] = ['curl', 'TypeScript', 'MCP'].map(codeOf);
      if (curl !== undefined && typeScript !== undefined) samples.push({ path, curl, typeScript, mcp: mcp ?? null });
    }
  }
  return samples;
}

/** What the API answered: the code of its error, or null. */
export interface SampleAnswer {
  code: string | null;
  message: string;
}

/** What is wrong with the samples themselves. The ids in them are invented, so nothing may be found under them. */
export async function faultsOf(sample: DocumentedSample, runner: SampleRunner): Promise<string[]> {
  const kinds = ['curl', 'typeScript', ...(sample.mcp === null ? [] : ['mcp' as const])] as ('curl' | 'typeScript' | 'mcp')[];
  const faults: string[] = [];
  for (const kind of kinds) {
    const { code, message } = await runner[kind](sample[kind]!);
    if (code !== null && !INVENTED.some((expected) => expected.test(`${code}: ${message}`)))
      faults.push(`${sample.path} ${kind} ${code}: ${message}`);
  }
  return faults;
}

const INVENTED = [
  /^not_found: /,
  /^validation_failed: \w*(\.\w+)*_id must be /,
  /^validation_failed: type_code .* is not a type/,
  // a picture or an address
  /^validation_failed: (url could not be downloaded|content_base64 must be a PNG)/,
  // another sample has created it
  /^duplicate: /,
  /^key_missing_actor: /,
];

/** Executes samples with a key, and what they name replaced by what exists. */
export class SampleRunner {
  private readonly folder = mkdtempSync(join(tmpdir(), 'work-suite-samples-'));
  private count = 0;

  private constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly existing: Readonly<Record<string, string>>,
  ) {}

  static async of(url: string, key: string, existing: Readonly<Record<string, string>>): Promise<SampleRunner> {
    const runner = new SampleRunner(url, key, existing);
    await unpackClient(url, runner.folder);
    return runner;
  }

  /** With the shell and curl, as a reader would. */
  async curl(code: string): Promise<SampleAnswer> {
    const env = { ...process.env, WORK_SUITE_KEY: this.key };
    const { stdout } = await promisify(execFile)('sh', ['-c', this.replaced(code)], { env, cwd: this.folder, maxBuffer: 16 * 1024 * 1024 });
    return answerOf(stdout.startsWith('{') ? JSON.parse(stdout) : {});
  }

  /** In this process, with the client that the application serves. */
  async typeScript(code: string): Promise<SampleAnswer> {
    const file = join(this.folder, `sample-${this.count++}.mjs`);
    const silent = this.replaced(code)
      .replaceAll('console.log', 'void ')
      .replaceAll('process.env.WORK_SUITE_KEY', JSON.stringify(this.key));
    writeFileSync(file, silent);
    try {
      await import(pathToFileURL(file).href);
      return { code: null, message: '' };
    } catch (error) {
      const { code: found, message } = error as SampleAnswer;
      if (typeof found !== 'string') throw error;
      return { code: found, message };
    }
  }

  async mcp(code: string): Promise<SampleAnswer> {
    const response = await fetch(`${this.url}/api/v1/ext/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...(JSON.parse(this.replaced(code)) as object) }),
    });
    const { result, error } = (await response.json()) as {
      result?: { isError?: boolean; content: { text: string }[] };
      error?: { message: string };
    };
    if (error) return { code: 'json_rpc', message: error.message };
    return result!.isError ? answerOf(JSON.parse(result!.content[0].text)) : { code: null, message: '' };
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }

  private replaced(code: string): string {
    return Object.entries(this.existing).reduce((text, [written, real]) => text.replaceAll(written, real), code);
  }
}

function answerOf(body: unknown): SampleAnswer {
  const { error } = body as { error?: SampleAnswer };
  return error ? { code: error.code, message: error.message } : { code: null, message: '' };
}
