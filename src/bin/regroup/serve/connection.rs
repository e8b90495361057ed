//! One connection: reads a request, hands it to the broker, waits for the answer, writes it, begins anew.

use super::FRAME_BYTES_MAX;
use super::host::Event;
use regroup::kafka::ids::ConnectionId;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// `connections.max.idle.ms`
const IDLE: Duration = Duration::from_mins(10);
/// How long a client may take nothing of an answer.
const WRITE: Duration = Duration::from_secs(30);
/// How often is looked whether a client that waits for its answer is still there.
const LOOK: Duration = Duration::from_secs(1);

/// What becomes of a request: the bytes of its answer, or `None` if it gets none. When the sender is gone,
/// the connection is to be closed.
pub type Reply = Option<Vec<u8>>;

/// One connection, before it runs.
pub struct Connection {
    /// Its number.
    pub id: ConnectionId,
    /// Its socket.
    pub stream: TcpStream,
    /// To the broker.
    pub events: SyncSender<Event>,
}

/// The client has closed, gone silent, sent what is no frame, or been turned out.
struct Over;

impl From<io::Error> for Over {
    fn from(_: io::Error) -> Self {
        Over
    }
}

impl Connection {
    /// Serves the client until one side ends it.
    pub fn run(mut self) {
        let (replies, inbox) = sync_channel(1);
        let peer = self.stream.peer_addr();
        let host = peer.map_or_else(|_| "/unknown".to_owned(), |peer| format!("/{}", peer.ip()));
        let opened = Event::Opened {
            id: self.id,
            host,
            replies,
        };
        if self.events.send(opened).is_err() {
            return;
        }
        let served = self.serve(&inbox);
        debug_assert!(served.is_err(), "serving ends by an event only");
        // The broker's thread ends with the process only.
        let _ = self.events.send(Event::Closed { id: self.id });
    }

    fn serve(&mut self, inbox: &Receiver<Reply>) -> Result<(), Over> {
        self.stream.set_nodelay(true)?;
        self.stream.set_read_timeout(Some(IDLE))?;
        self.stream.set_write_timeout(Some(WRITE))?;
        loop {
            let bytes = self.read_frame()?;
            let event = Event::Frame { id: self.id, bytes };
            self.events.send(event).map_err(|_| Over)?;
            if let Some(answer) = self.wait(inbox)? {
                let length = u32::try_from(answer.len()).map_err(|_| Over)?;
                let frame = [&length.to_be_bytes(), answer.as_slice()].concat();
                self.stream.write_all(&frame)?;
            }
        }
    }

    /// A length that cannot be ends the connection. What is claimed but not sent is not allocated.
    fn read_frame(&mut self) -> Result<Vec<u8>, Over> {
        let mut length = [0; 4];
        self.stream.read_exact(&mut length)?;
        let length = u32::from_be_bytes(length);
        if length > FRAME_BYTES_MAX {
            return Err(Over);
        }
        let mut bytes = Vec::new();
        let read = (&mut self.stream)
            .take(u64::from(length))
            .read_to_end(&mut bytes)?;
        match u32::try_from(read) == Ok(length) {
            true => Ok(bytes),
            false => Err(Over),
        }
    }

    /// The answer, which may be long in coming: a JoinGroup waits for a whole group, and some never get one.
    fn wait(&mut self, inbox: &Receiver<Reply>) -> Result<Reply, Over> {
        loop {
            match inbox.recv_timeout(LOOK) {
                Ok(reply) => return Ok(reply),
                Err(RecvTimeoutError::Disconnected) => return Err(Over),
                Err(RecvTimeoutError::Timeout) if self.is_gone()? => return Err(Over),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn is_gone(&self) -> Result<bool, Over> {
        self.stream.set_nonblocking(true)?;
        let seen = self.stream.peek(&mut [0]);
        self.stream.set_nonblocking(false)?;
        Ok(match seen {
            Ok(bytes) => bytes == 0,
            Err(error) => error.kind() != ErrorKind::WouldBlock,
        })
    }
}
