import { FaultError } from '../protocol/fault.js';
import { NOT_FOUND, RpcError } from '../protocol/json-rpc.js';
import { LOCAL_READ_ANNOTATIONS, textResult, type LocalTool, type View } from './local-tool.js';
import { RPC, type Json, type Revision } from '../protocol/protocol.js';

/** The purpose of a module, the usual order of calls, its states and transitions, as Markdown. */
export interface Guide {
  module: string;
  title: string;
  text: string;
}

const GET_GUIDE = 'get_guide';
const SCHEME = 'guide://';

/**
 * One guide per module of which the caller sees a tool. Guides are resources, and the output of a tool for clients that
 * read no resources.
 */
export class Guides {
  readonly tool: LocalTool;
  private readonly guides: ReadonlyMap<string, Guide>;

  constructor(guides: readonly Guide[]) {
    this.guides = new Map(guides.map((guide) => [guide.module, guide]));
    this.tool = this.createTool();
  }

  resources(view: View): Json[] {
    return this.visible(view).map(({ module, title, text }) => ({
      uri: SCHEME + module,
      name: module,
      title,
      description: `How to use the ${module} tools together.`,
      mimeType: 'text/markdown',
      size: Buffer.byteLength(text),
    }));
  }

  read(uri: unknown, view: View, revision: Revision): Json {
    if (typeof uri !== 'string') throw new RpcError(RPC.invalidParams, 'Invalid params: "uri" must be a string');
    const guide = this.visible(view).find(({ module }) => SCHEME + module === uri);
    if (guide === undefined) {
      const code = revision.modern ? RPC.invalidParams : RPC.legacyResourceNotFound;
      throw new RpcError(code, 'Resource not found', { data: { uri }, logged: NOT_FOUND });
    }
    return { contents: [{ uri, mimeType: 'text/markdown', text: guide.text }] };
  }

  private visible(view: View): Guide[] {
    return [...view.modules].flatMap((module) => this.guides.get(module) ?? []);
  }

  private createTool(): LocalTool {
    const module = (view: View) => ({
      type: 'string',
      description: 'The module to read about.',
      enum: this.visible(view).map((guide) => guide.module),
    });
    return {
      name: GET_GUIDE,
      readOnly: true,
      definition: (view) =>
        this.visible(view).length === 0
          ? undefined
          : {
              name: GET_GUIDE,
              title: 'Read the guide of a module',
              description: 'Purpose, usual order of calls, states and transitions of a module. Read it before the first write.',
              inputSchema: {
                type: 'object',
                properties: { module: module(view) },
                required: ['module'],
                additionalProperties: false,
              },
              annotations: LOCAL_READ_ANNOTATIONS,
            },
      call: ({ arguments: args, view }) => {
        const guide = this.visible(view).find((candidate) => candidate.module === args['module']);
        if (guide !== undefined) return textResult(guide.text);
        const allowed = this.visible(view).map((candidate) => candidate.module);
        throw new FaultError({
          code: 'validation_failed',
          message: 'module must be a module whose tools you can see',
          param: 'module',
          allowed,
        });
      },
    };
  }
}
