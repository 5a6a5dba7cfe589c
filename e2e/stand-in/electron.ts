import {absent} from './lacking.ts'
import {STAND_IN, type StandIn} from './stand-in.ts'

// What an app imports as `electron`. Whatever is not named here cannot be imported, and Node says its name.

const standIn = (globalThis as unknown as Record<symbol, StandIn>)[STAND_IN] // put there before any app is loaded
if (standIn === undefined) throw new Error('this module is loaded by the stand-in for Electron only')

export const {app, BrowserWindow, webContents, ipcMain, protocol, dialog, safeStorage, screen, session} =
  standIn.electron

export const Menu = absent('Menu')
export const Tray = absent('Tray')
export const Notification = absent('Notification')
export const autoUpdater = absent('autoUpdater')
export const clipboard = absent('clipboard')
export const nativeImage = absent('nativeImage')
export const nativeTheme = absent('nativeTheme')
export const net = absent('net')
export const powerMonitor = absent('powerMonitor')
export const shell = absent('shell')
export const utilityProcess = absent('utilityProcess')
