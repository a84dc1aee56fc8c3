/** One well-known zone for each common offset and region. A page offers these first and links to all others. */
export const COMMON_ZONES: readonly string[] = `Africa/Cairo Africa/Johannesburg Africa/Lagos Africa/Nairobi America/Anchorage
  America/Argentina/Buenos_Aires America/Bogota America/Chicago America/Denver America/Halifax America/Los_Angeles America/Mexico_City
  America/New_York America/Phoenix America/Sao_Paulo America/St_Johns America/Toronto Asia/Dhaka Asia/Dubai Asia/Hong_Kong Asia/Jakarta
  Asia/Jerusalem Asia/Karachi Asia/Kathmandu Asia/Kolkata Asia/Manila Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Tehran Asia/Tokyo
  Atlantic/Azores Atlantic/Reykjavik Australia/Adelaide Australia/Brisbane Australia/Perth Australia/Sydney Europe/Athens Europe/Berlin
  Europe/Istanbul Europe/Lisbon Europe/London Europe/Moscow Europe/Paris Pacific/Apia Pacific/Auckland Pacific/Honolulu UTC`.split(/\s+/);

/** All zones of the runtime, sorted. */
export function allZones(): readonly string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), ...COMMON_ZONES])].sort();
}
