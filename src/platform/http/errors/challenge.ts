import { HttpException, Injectable } from '@nestjs/common';
import { CommonErrors, type DomainError } from '../../../kit/index.js';
import { BaseUrl } from '../../config/base-url.js';
import { isMcpPath, mcpMetadataAddress } from '../../config/mcp-address.js';
import { connectableScopes } from '../../keys/connection-scopes.js';
import { ScopeCatalog } from '../../keys/scope-catalog.js';
import type { Request } from '../../request/request-state.js';

const REALM = 'realm="work-suite"';

/** The `WWW-Authenticate` header of errors. RFC 9110: a 401 says how to authenticate; RFC 6750: why the token was rejected. */
@Injectable()
export class Challenge {
  constructor(
    private readonly baseUrl: BaseUrl,
    private readonly catalog: ScopeCatalog,
  ) {}

  /** Null for an error that needs none. */
  of(error: DomainError, { state, url, ctx }: Request): string | null {
    const { status, code } = error.spec;
    // of a handler: the key or session is valid
    if (status === 401 && error.cause instanceof HttpException) return null;
    if (code === CommonErrors.notSignedIn.spec.code) return `Session ${REALM}`;
    const discovery = state.outer !== undefined || isMcpPath(url) ? `, resource_metadata="${mcpMetadataAddress(this.baseUrl.value)}"` : '';
    if (status === 401) {
      // clients ask for the scopes of the first challenge, and handle a later request for more badly
      const scope = discovery === '' ? '' : `, scope="${connectableScopes(this.catalog).join(' ')}"`;
      const reason =
        code === CommonErrors.missingApiKey.spec.code
          ? ''
          : `, error="invalid_token", error_description="${error.spec.message.replaceAll('"', "'")}"`;
      return `Bearer ${REALM}${reason}${discovery}${scope}`;
    }
    if (code !== CommonErrors.insufficientScope.spec.code) return null;
    // at the MCP endpoint a challenge is about the connection; a scope that a key lacks for one tool is reported in that tool's result
    if (state.tool !== null && !state.isConnection) return null;
    // a client replaces its connection, so the scopes that this one has are named as well
    const scopes = new Set([String(error.occurrence.extra?.required_scope), ...(state.isConnection ? (ctx?.scopes ?? []) : [])]);
    return `Bearer ${REALM}, error="insufficient_scope", scope="${[...scopes].join(' ')}"${discovery}`;
  }
}
