/** Whether somebody could look at a window here. A variable that is set to nothing names no display. */
export function hasDisplay(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform === 'darwin' || platform === 'win32') return true
  return [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((name) => name !== undefined && name !== '')
}
