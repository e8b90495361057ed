//! Korean: what words mean.

use super::Term;
use crate::view::GroupState;

/// A word and its explanation.
pub fn term(term: Term) -> (&'static str, &'static str) {
    match term {
        Term::State(GroupState::Empty) => (
            "Empty",
            "그룹에 멤버가 없습니다. 커밋된 오프셋은 남아 있습니다.",
        ),
        Term::State(GroupState::PreparingRebalance) => (
            "PreparingRebalance",
            "리밸런스가 시작되었습니다. 코디네이터는 모든 멤버의 JoinGroup 요청을 기다리며, 최대 대기 시간은 리밸런스 타임아웃(max.poll.interval.ms)입니다.",
        ),
        Term::State(GroupState::CompletingRebalance) => (
            "CompletingRebalance",
            "모든 멤버가 참여했습니다. 그룹 리더가 할당을 계산하고, 나머지는 SyncGroup 응답으로 자기 몫을 기다립니다.",
        ),
        Term::State(GroupState::Stable) => (
            "Stable",
            "모든 멤버가 할당받은 파티션을 읽습니다. 하트비트가 이 상태를 유지합니다.",
        ),
        Term::State(GroupState::Dead) => ("Dead", "그룹이 오프셋과 함께 삭제되었습니다."),
        Term::Generation => (
            "세대",
            "리밸런스마다 1씩 늘어납니다. 이전 세대의 커밋이나 하트비트는 22 ILLEGAL_GENERATION 오류로 거부됩니다.",
        ),
        Term::Assignor => (
            "할당자",
            "partition.assignment.strategy 설정의 파티션 할당 전략입니다. 멤버들이 투표로 정하고 그룹 리더가 실행합니다.",
        ),
        Term::Leader => (
            "그룹 리더",
            "모든 멤버의 할당을 계산하는 멤버입니다. 코디네이터는 그 결과를 나누어 줄 뿐입니다.",
        ),
        Term::Coordinator => (
            "그룹 코디네이터",
            "그룹의 멤버와 세션, 커밋된 오프셋을 관리하는 브로커입니다.",
        ),
        Term::Session => (
            "session.timeout.ms",
            "코디네이터가 이 시간 동안 멤버의 하트비트를 받지 못하면 멤버를 제외하고 리밸런스를 시작합니다. 하트비트가 올 때마다 링이 다시 찹니다.",
        ),
        Term::Poll => (
            "max.poll.interval.ms",
            "애플리케이션이 이 시간 동안 poll()을 호출하지 않으면 클라이언트가 스스로 그룹에서 탈퇴합니다. poll()을 호출할 때마다 링이 다시 찹니다.",
        ),
        Term::Unowned => (
            "소유자 없음",
            "살아 있는 컨슈머 중 아무도 이 파티션을 소유하지 않아 읽히지 않고 랙이 늘어납니다. 단색 표시는 리밸런스로 옮겨지는 중, 빗금은 소유자가 사라졌거나 아직 없다는 뜻입니다.",
        ),
        Term::Close => (
            "정상 종료",
            "close()를 호출합니다. 자동 커밋이면 커밋한 뒤 LeaveGroup 요청으로 그룹에서 탈퇴하므로(정적 멤버는 제외) 그룹이 바로 알게 됩니다.",
        ),
        Term::Kill => (
            "강제 종료(kill -9)",
            "프로세스가 아무 말 없이 끝납니다. 코디네이터는 세션 타임아웃이 지나야 알게 됩니다.",
        ),
        Term::Freeze => (
            "동결",
            "긴 가비지 컬렉션처럼 프로세스가 멈춥니다. 하트비트도 poll()도 없습니다. 너무 늦게 깨어나면 제외된 줄 모르는 좀비가 됩니다.",
        ),
        Term::StaticMember => (
            "정적 멤버",
            "group.instance.id가 있는 컨슈머는 session.timeout.ms 안에 다시 시작하면 자리를 유지하며 리밸런스가 일어나지 않습니다. close()를 호출해도 탈퇴하지 않습니다.",
        ),
        Term::HighWatermark => (
            "하이 워터마크",
            "컨슈머가 읽을 수 있는 끝입니다. 그 앞의 레코드는 모든 ISR에 있습니다.",
        ),
        Term::Committed => (
            "커밋된 오프셋",
            "이어받거나 재시작한 뒤 그룹이 읽기 시작하는 곳입니다. 코디네이터에 저장됩니다.",
        ),
        Term::Position => (
            "읽기 위치",
            "소유자의 poll()이 다음에 반환할 오프셋입니다. 컨슈머의 메모리에만 있습니다.",
        ),
        Term::Lag => (
            "랙",
            "하이 워터마크에서 커밋된 오프셋을 뺀 값입니다. kafka-consumer-groups.sh의 LAG와 같습니다.",
        ),
        Term::PositionLag => (
            "위치 랙",
            "하이 워터마크에서 소유자의 읽기 위치를 뺀 값입니다.",
        ),
        Term::ProcessingLag => (
            "처리 랙",
            "하이 워터마크에서 소유자가 아직 끝내지 못한 첫 레코드의 오프셋을 뺀 값입니다.",
        ),
        Term::AtRisk => (
            "읽음, 커밋 전",
            "커밋된 오프셋부터 읽기 위치까지입니다. 지금 소유자가 죽으면 바로 이 레코드들이 다시 전달됩니다.",
        ),
        Term::Delivered => (
            "전달",
            "poll()이 반환한 레코드 수입니다. 다시 반환한 것도 셉니다.",
        ),
        Term::Duplicates => (
            "중복 전달",
            "같은 레코드의 두 번째 전달부터 센 수입니다. 어느 멤버에 전달되었는지는 상관없습니다. 처리 완료를 기준으로 센 것이 중복 처리입니다.",
        ),
        Term::Done => (
            "처리 완료",
            "애플리케이션이 처리를 끝낸 레코드 수입니다. 다시 처리한 것도 셉니다.",
        ),
        Term::InDoubt => (
            "미확정",
            "전달되었지만 처리가 끝나지 않았고, 받은 멤버가 살아서 파티션을 소유하고 있는 레코드입니다.",
        ),
        Term::Skipped => (
            "누락",
            "커밋된 오프셋이 지나갔지만 아무도 처리를 끝내지 않은 레코드입니다. 이 그룹은 다시 읽지 않습니다.",
        ),
        Term::Accumulated => (
            "버퍼",
            "배치가 차거나 linger.ms가 지나기를 프로듀서 안에서 기다리는 레코드입니다.",
        ),
        Term::RollingChange => (
            "순차 변경",
            "컨슈머가 새 목록으로 하나씩 재시작합니다. 한동안 두 목록이 함께 있으므로 공통된 할당자가 필요합니다.",
        ),
        Term::FullRestart => (
            "전체 재시작",
            "모든 컨슈머가 종료된 뒤 새 목록으로 시작합니다. 그동안에는 아무도 읽지 않습니다.",
        ),
        Term::PartitionSeconds => (
            "파티션·초",
            "파티션마다 소유자가 놓은 때부터 다음 소유자가 얻을 때까지의 시간을 모두 더한 값입니다. 파티션 2개가 3초 멈추면 6입니다.",
        ),
    }
}
