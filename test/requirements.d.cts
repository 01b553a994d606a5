export const SUITES: Readonly<Record<string, readonly string[]>>;
export function findChromium(): string | undefined;
export function findMissing(suites: readonly string[]): string[];
export function findProgram(name: string): string | undefined;
