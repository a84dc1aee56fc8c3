import * as official from '@modelcontextprotocol/core/internal';
import { describe, expect, it } from '@jest/globals';
import { ProtocolErrorCode } from '@modelcontextprotocol/client';
import { ASSUMED_VERSION, LEGACY_VERSIONS, META, RPC } from './protocol.js';

describe('the constants of the protocol', () => {
  it('are those of the official package', () => {
    expect(META).toEqual({
      protocolVersion: official.PROTOCOL_VERSION_META_KEY,
      clientInfo: official.CLIENT_INFO_META_KEY,
      clientCapabilities: official.CLIENT_CAPABILITIES_META_KEY,
      serverInfo: official.SERVER_INFO_META_KEY,
      logLevel: official.LOG_LEVEL_META_KEY,
      subscriptionId: official.SUBSCRIPTION_ID_META_KEY,
    });
    expect(RPC).toMatchObject({
      parseError: official.PARSE_ERROR,
      invalidRequest: official.INVALID_REQUEST,
      methodNotFound: official.METHOD_NOT_FOUND,
      invalidParams: official.INVALID_PARAMS,
      internalError: official.INTERNAL_ERROR,
      legacyResourceNotFound: ProtocolErrorCode.ResourceNotFound,
      missingClientCapability: ProtocolErrorCode.MissingRequiredClientCapability,
      unsupportedProtocolVersion: ProtocolErrorCode.UnsupportedProtocolVersion,
    });
  });

  it('include every revision of the official legacy server except the drafts before the first', () => {
    expect(official.SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version >= '2024-11')).toEqual(LEGACY_VERSIONS);
    expect(LEGACY_VERSIONS[0]).toBe(official.LATEST_PROTOCOL_VERSION);
    expect(ASSUMED_VERSION).toBe(official.DEFAULT_NEGOTIATED_PROTOCOL_VERSION);
  });
});
